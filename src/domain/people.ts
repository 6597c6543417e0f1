/**
 * Whom people talk of by what they are to them. Several grammars name these groups, each the ones that it is about. A
 * word may be a pattern, and stands in the singular.
 */

/** One has one of them at a time. */
export const partners = ['wife', 'husband', 'partner', 'spouse', 'girlfriend', 'boyfriend', 'fianc[eé]e?'] as const;
export const parents = ['mother', 'father', 'mum', 'mom', 'dad', 'parent'] as const;
export const siblings = ['sister', 'brother', 'sibling'] as const;
export const children = ['son', 'daughter', 'kid', 'child', 'baby'] as const;
export const grandparents = ['grandmother', 'grandfather', 'grandma', 'grandpa', 'grandparent', 'grann?y'] as const;
export const relatives = ['uncle', 'aunt', 'cousin', 'niece', 'nephew', 'grandson', 'granddaughter'] as const;
export const atWork = ['boss', 'manager', 'supervisor', 'colleague', 'coworker', 'teammate', 'assistant'] as const;
export const atHome = ['neighbou?r', 'friend', 'flatmate', 'roommate', 'landlord', 'landlady'] as const;
export const consulted = ['doctor', 'dentist', 'lawyer', 'teacher', 'coach'] as const;
export const pets = ['dog', 'cat', 'horse', 'parrot', 'rabbit', 'hamster'] as const;
