/**
 * Whom people talk of by what they are to them, and by what they do. Several grammars name these groups, each the ones
 * that it is about. The words stand in the singular; some are patterns.
 */

/** Of these one has one at a time. */
export const partners = ['wife', 'husband', 'partner', 'spouse', 'girlfriend', 'boyfriend', 'fianc[eé]e?'] as const;
export const parents = ['mother', 'father', 'mum', 'mom', 'dad', 'parent'] as const;
export const grandparents = ['grandmother', 'grandfather', 'grandma', 'grandpa', 'grandparent', 'grann?y'] as const;
export const superiors = ['boss', 'manager', 'supervisor'] as const;
export const housemates = ['flatmate', 'roommate', 'landlord', 'landlady'] as const;
export const consulted = ['doctor', 'dentist', 'lawyer', 'teacher', 'coach', 'assistant'] as const;

/** Of these one may have several. */
export const siblings = ['sister', 'brother', 'sibling'] as const;
export const children = ['son', 'daughter', 'kid', 'child', 'baby'] as const;
export const relatives = ['uncle', 'aunt', 'cousin', 'niece', 'nephew', 'grandson', 'granddaughter'] as const;
export const colleagues = ['colleague', 'coworker', 'teammate'] as const;
export const friends = ['friend', 'neighbou?r'] as const;
export const pets = ['dog', 'cat', 'horse', 'parrot', 'rabbit', 'hamster'] as const;

export const family = [...partners, ...parents, ...grandparents, ...siblings, ...children, ...relatives] as const;
export const acquaintances = [...superiors, ...colleagues, ...friends, ...housemates, ...consulted] as const;

export const professions: readonly string[] = (
  'accountant actor architect artist baker barber biologist butcher carpenter cashier chef chemist cleaner consultant ' +
  'cook dentist designer developer doctor driver economist editor electrician engineer farmer firefighter gardener ' +
  'hairdresser journalist judge lawyer lecturer librarian manager mechanic midwife musician nurse painter paramedic ' +
  'pharmacist photographer physicist pilot plumber policeman postman professor programmer psychologist receptionist ' +
  'researcher sailor salesman scientist secretary singer soldier surgeon teacher translator tutor vet waiter waitress ' +
  'writer'
).split(' ');
