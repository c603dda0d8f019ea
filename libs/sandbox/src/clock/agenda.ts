/** Something that becomes due; it gets its own due time, however late it runs. */
export type Task = (at: Date) => void | Promise<void>;

export interface Appointment {
  readonly dueAtMs: number;
  readonly task: Task;
}

/** Appointments in time order; those due at the same moment keep the order they were made in. */
export class Agenda {
  #appointments: Appointment[] = [];

  add(appointment: Appointment): void {
    let index = this.#appointments.length;
    // From the back, because most new appointments are later than most old ones.
    while (index > 0 && (this.#appointments[index - 1]?.dueAtMs ?? 0) > appointment.dueAtMs) index -= 1;
    this.#appointments.splice(index, 0, appointment);
  }

  peek(): Appointment | undefined {
    return this.#appointments[0];
  }

  take(): Appointment | undefined {
    return this.#appointments.shift();
  }

  clear(): void {
    this.#appointments = [];
  }
}
