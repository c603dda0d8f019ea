import { documentedProfile, yookassaProfile, type ServiceProfile } from '@holdfast/payments/client';

/** The service profiles the shop can run with. A sandbox of its own serves the same profile. */
export const profileNames = ['documented', 'yookassa'] as const;
export type ProfileName = (typeof profileNames)[number];

export const profiles: Readonly<Record<ProfileName, ServiceProfile>> = {
  documented: documentedProfile,
  yookassa: yookassaProfile,
};
