import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.js';
import type { OpenedApp } from './host/opened-app.js';
import type { Screen } from './screen/screen.js';

/** What a command does with an application whose module is ready. */
export type Work = (app: OpenedApp, screen: Screen) => Promise<ExitCode>;

/** Opens the application, does the work, closes it, and keeps the exit code. `tables`: whosever shop's they are. */
export type Perform = (work: Work, about?: 'shop' | 'tables') => Promise<void>;

/** Adds a command to the program. */
export type AddCommand = (program: Command, perform: Perform) => void;
