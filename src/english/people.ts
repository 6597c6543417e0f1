/** Whom people talk of by what they are to them, in the singular, and by what they do. Some words are patterns. */
export const pets = ['dog', 'cat', 'horse', 'parrot', 'rabbit', 'hamster'] as const;

export const relations: readonly string[] = (
  'wife husband partner spouse girlfriend boyfriend fianc[eé]e? mother father mum mom dad parent grandmother grandfather ' +
  'grandma grandpa grandparent grann?y sister brother sibling son daughter kid child baby uncle aunt cousin niece nephew ' +
  'grandson granddaughter boss manager supervisor colleague coworker teammate friend neighbou?r flatmate roommate ' +
  'landlord landlady doctor dentist lawyer teacher coach assistant'
).split(' ');

export const professions: readonly string[] = (
  'accountant actor architect artist baker barber biologist butcher carpenter cashier chef chemist cleaner consultant ' +
  'cook dentist designer developer doctor driver economist editor electrician engineer farmer firefighter gardener ' +
  'hairdresser journalist judge lawyer lecturer librarian manager mechanic midwife musician nurse painter paramedic ' +
  'pharmacist photographer physicist pilot plumber policeman postman professor programmer psychologist receptionist ' +
  'researcher sailor salesman scientist secretary singer soldier surgeon teacher translator tutor vet waiter waitress ' +
  'writer'
).split(' ');
