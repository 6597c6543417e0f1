/**
 * 100 stories of facts that change: twenty themes, each told in five ways. In a theme the statements follow one
 * another, each with the words that tell it from the others; the question is asked at the end.
 */
export interface Theme {
  question: string;
  /** Statement, and what of it an answer must or must not contain. */
  told: readonly (readonly [statement: string, value: string])[];
}
/** By POST, in a message, by an instruction, by POST with a key and in other words, and by all of these in turn. */
export const ways = ['stored', 'said', 'remembered', 'keyed', 'mixed'] as const;
export type Way = (typeof ways)[number];

const theme = (question: string, ...told: [string, string][]): Theme => ({ question, told });

export const themes: readonly Theme[] = [
  theme(
    'When is the launch?',
    ['The launch is in March.', 'March'],
    ['The launch moved to April.', 'April'],
    ['Actually, the launch is now in October.', 'October'],
  ),
  theme('What is the gate code?', ['The gate code is 4512.', '4512'], ['The gate code is now 9931.', '9931']),
  theme(
    'Where do I live?',
    ['I live in Oslo.', 'Oslo'],
    ['I moved to Bergen.', 'Bergen'],
    ['I live in Tromso now.', 'Tromso'],
  ),
  theme('Where does Ana work?', ['Ana works at Acme.', 'Acme'], ['Ana works at Globex now.', 'Globex']),
  theme("Who is Ana's manager?", ["Ana's manager is Bob.", 'Bob'], ["Ana's manager is Carol now.", 'Carol']),
  theme(
    'What is my favourite colour?',
    ['My favourite colour is blue.', 'blue'],
    ['My favourite colour is now yellow.', 'yellow'],
  ),
  theme(
    'What does the ticket cost?',
    ['The ticket costs 20 euros.', '20 euros'],
    ['The ticket costs 35 euros.', '35 euros'],
  ),
  theme(
    'When is the deadline?',
    ['The deadline is 5 June.', '5 June'],
    ['Update: the deadline is now 9 July.', '9 July'],
  ),
  theme('When does the shop close?', ['The shop closes at 8.', 'at 8'], ['The shop closes at 6 pm.', 'at 6']),
  theme('Which version is the API?', ['The API version is 3.1.', '3.1'], ['The API version is now 4.0.', '4.0']),
  theme(
    'Which port does the server run on?',
    ['The server runs on port 8080.', '8080'],
    ['The server runs on port 9443.', '9443'],
  ),
  theme(
    'What is the budget?',
    ['The budget is 5000 euros.', '5000'],
    ['The budget was raised to 8000 euros.', '8000'],
    ['The budget was cut to 6500 euros.', '6500'],
  ),
  theme('Where is the office?', ['The office is in Rome.', 'Rome'], ['The office moved to Turin.', 'Turin']),
  theme(
    'Where is the workshop?',
    ['The workshop is in room 4.', 'room 4'],
    ['The workshop moved to room 7.', 'room 7'],
  ),
  theme(
    'What is the status of the project?',
    ['The status of the project is green.', 'green'],
    ['The status of the project is now amber.', 'amber'],
  ),
  theme(
    'What is the wifi password?',
    ['The wifi password is harbour22.', 'harbour22'],
    ['The wifi password is now lantern77.', 'lantern77'],
  ),
  theme(
    'On which day is the standup meeting?',
    ['The standup meeting is on Tuesday.', 'Tuesday'],
    ['The standup meeting moved to Thursday.', 'Thursday'],
  ),
  theme('Who leads Apollo?', ['Apollo is led by Priya.', 'Priya'], ['Apollo is led by Omar.', 'Omar']),
  theme(
    'Where does Bob live?',
    ['Bob lives in Porto.', 'Porto'],
    ['Bob moved to Denver.', 'Denver'],
    ['Bob moved to Lima.', 'Lima'],
  ),
  theme(
    'What is my phone number?',
    ['My phone number is 555 0199.', '0199'],
    ['My phone number is now 555 0242.', '0242'],
  ),
];
