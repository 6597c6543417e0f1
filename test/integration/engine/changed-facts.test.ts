/**
 * What people say changes, and nobody tells the agent which memory ends by it. 120 dialogues of a statement, a change
 * and a question: the built-in reasoner has to tell the new first or alone, by order and date, whatever the words are.
 */
import { spawnAgent } from '../../../src/commands/agents.js';
import { expect } from 'chai';
import { createBuiltIn } from '../../../src/reasoner/built-in/steps.js';
import { caller, skippingClock, testEngine, type TestEngine } from '../../helpers/engine.js';

interface Theme {
  state: string;
  old: string;
  now: string;
  /** Ways to tell the change: the first three by themselves, the others only where they follow on the statement. */
  changes: readonly [string, string, string, string, string];
  asks: readonly [string, string];
}
const theme = (state: string, old: string, now: string, changes: Theme['changes'], ...asks: Theme['asks']): Theme => ({
  state,
  old,
  now,
  changes,
  asks,
});

const themes: readonly Theme[] = [
  theme(
    'Our weekly sync is on Tuesday.',
    'Tuesday',
    'Thursday',
    [
      'They pushed the weekly sync to Thursday.',
      'From next week on the sync happens on Thursdays.',
      'The weekly sync has a new day, Thursday.',
      'Scratch that, Thursday works better for everybody.',
      "No wait, it's on Thursday.",
    ],
    'When do we have the weekly sync?',
    'What day is the sync?',
  ),
  theme(
    'I work as a baker in a small shop.',
    'baker',
    'gardener',
    [
      'I gave up baking and work as a gardener these days.',
      'Since March I earn my living as a gardener.',
      'I switched careers, I work as a gardener for the city.',
      'That was last year though, I am a gardener now.',
      'Sorry, I meant to say gardener.',
    ],
    'What do I work as?',
    'What is my job?',
  ),
  theme(
    'My sister Clara lives in Leeds.',
    'Leeds',
    'Dublin',
    [
      'Clara has packed her things and settled in Dublin.',
      'My sister moved over to Dublin last month.',
      'You can visit Clara in Dublin now, she lives by the sea.',
      'She moved to Dublin in spring.',
      'Actually no, Dublin.',
    ],
    'Where does my sister live?',
    'In which city does Clara live?',
  ),
  theme(
    'The door code of the garage is 2210.',
    '2210',
    '8846',
    [
      'The landlord changed the garage code, it is 8846.',
      'To open the garage you need 8846 from today on.',
      'New code for the garage door: 8846',
      'They changed it to 8846.',
      'Sorry, 8846.',
    ],
    'What is the code of the garage?',
    'Which code opens the garage door?',
  ),
  theme(
    'We host our site at Hetzner.',
    'Hetzner',
    'Scaleway',
    [
      'The site runs at Scaleway now.',
      'We have moved the site over to Scaleway.',
      'Our hosting went to Scaleway on Monday.',
      'We left them for Scaleway.',
      'Not any more, Scaleway it is.',
    ],
    'Where do we host our site?',
    'Who hosts our site?',
  ),
  theme(
    'My favourite tea is jasmine.',
    'jasmine',
    'rooibos',
    [
      'These days rooibos is my favourite tea.',
      'I have gone off green tea, my favourite is rooibos.',
      'If you make me tea, rooibos is what I like best now.',
      'It used to be, now I only drink rooibos.',
      'Hm, rather rooibos.',
    ],
    'What is my favourite tea?',
    'Which tea do I like best?',
  ),
  theme(
    'The launch of Heron is planned for 14 March.',
    '14 March',
    '2 April',
    [
      'Heron slipped again, we launch on 2 April.',
      'The launch of Heron had to wait until 2 April.',
      'The new launch date is 2 April.',
      'It was moved to 2 April.',
      'Correction: 2 April.',
    ],
    'When is the launch of Heron?',
    'When do we launch?',
  ),
  theme(
    'My car is a grey Polo.',
    'Polo',
    'Kangoo',
    [
      'I traded my car in and drive a Kangoo.',
      'My new car is a Kangoo.',
      'We bought a Kangoo, so my old car is gone.',
      'I sold it and bought a Kangoo.',
      'Wrong, it is a Kangoo.',
    ],
    'What car do I drive?',
    'Which car do I have?',
  ),
  theme(
    'Marek is the head of our department.',
    'Marek',
    'Sofia',
    [
      'Sofia took over our department.',
      'Our department has a new head, Sofia.',
      'Since yesterday the head of the department is Sofia.',
      'He left, and Sofia does it now.',
      'I mean Sofia.',
    ],
    'Who is the head of our department?',
    'Who leads the department?',
  ),
  theme(
    'I take the 7:15 train to the office.',
    '7:15',
    '8:05',
    [
      'I take the 8:05 train now, I sleep longer.',
      'My train to the office leaves at 8:05 since the timetable changed.',
      'With the new timetable I catch the 8:05 to the office.',
      'They cancelled it, so I go at 8:05.',
      'Oops, 8:05.',
    ],
    'Which train do I take to the office?',
    'When does my train to the office leave?',
  ),
  theme(
    'Our rabbit eats only carrots.',
    'carrots',
    'fennel',
    [
      'The vet put our rabbit on fennel.',
      'Our rabbit has become picky and eats only fennel.',
      'No more of the orange stuff, the rabbit gets fennel now.',
      'It wants fennel now.',
      'No, fennel I should say.',
    ],
    'What does our rabbit eat?',
    'What do we feed the rabbit?',
  ),
  theme(
    'The staging database is on port 5433.',
    '5433',
    '6011',
    [
      'Staging listens on 6011 since the upgrade.',
      'The port of the staging database is 6011.',
      'We had to move the staging database to 6011.',
      'It listens on 6011 since the upgrade.',
      'Typo, 6011.',
    ],
    'Which port does the staging database use?',
    'What is the port of the staging database?',
  ),
  theme(
    'My dentist is Dr. Okafor.',
    'Okafor',
    'Lindqvist',
    [
      'I changed dentists and go to Dr. Lindqvist.',
      'Dr. Lindqvist looks after my teeth, she is my new dentist.',
      'My dentist retired, Dr. Lindqvist took over the practice.',
      'She retired, so I go to Dr. Lindqvist.',
      'Wait, Dr. Lindqvist.',
    ],
    'Who is my dentist?',
    'What is the name of my dentist?',
  ),
  theme(
    'The rent of the studio is 640 euros.',
    '640',
    '710',
    [
      'They raised the rent of the studio to 710 euros.',
      'The studio costs 710 euros a month from January on.',
      'I pay 710 for the studio now.',
      'It went up to 710.',
      'Make that 710.',
    ],
    'How much is the rent of the studio?',
    'What does the studio cost?',
  ),
  theme(
    'Ana is allergic to peanuts.',
    'peanuts',
    'shellfish',
    [
      'The test says that Ana is only allergic to shellfish.',
      'It turned out that what Ana is allergic to is shellfish.',
      'Ana has a new result, the allergy is against shellfish.',
      'The doctor found that it is shellfish.',
      'No, shellfish, sorry.',
    ],
    'What is Ana allergic to?',
    'Which allergy does Ana have?',
  ),
  theme(
    'We use Jenkins to build the app.',
    'Jenkins',
    'Buildkite',
    [
      'The app is built with Buildkite now.',
      'We replaced our build server with Buildkite.',
      'Since Friday we use Buildkite to build everything.',
      'We switched to Buildkite.',
      'I meant Buildkite.',
    ],
    'What do we use to build the app?',
    'Which tool builds the app?',
  ),
  theme(
    'Grandpa sleeps in the blue room when he visits.',
    'blue room',
    'attic',
    [
      'When Grandpa visits he now sleeps in the attic.',
      'We made the attic nice for Grandpa, he sleeps there.',
      'Grandpa prefers to sleep in the attic now.',
      'He likes the attic better now.',
      'Actually the attic.',
    ],
    'Where does Grandpa sleep when he visits?',
    'Which room is for Grandpa?',
  ),
  theme(
    'My phone number ends in 4471.',
    '4471',
    '9038',
    [
      'I have a new phone number, it ends in 9038.',
      'My number ends in 9038 since I changed provider.',
      'Please call me on the new number that ends in 9038.',
      'I had to change it, the new one ends in 9038.',
      'Sorry, in 9038.',
    ],
    'What does my phone number end in?',
    'How does my number end?',
  ),
  theme(
    'The choir meets in the school hall.',
    'school hall',
    'chapel',
    [
      'The choir had to move, we meet in the chapel.',
      'For the rest of the year the choir meets in the chapel.',
      'Choir is in the chapel from now on.',
      'We are in the chapel now, the heating broke.',
      'No, in the chapel.',
    ],
    'Where does the choir meet?',
    'Where is choir?',
  ),
  theme(
    'Tom plays the trombone in our band.',
    'trombone',
    'banjo',
    [
      'Tom has swapped his instrument for a banjo.',
      'In our band Tom plays the banjo now.',
      'Tom took up the banjo and plays nothing else.',
      'He has changed to the banjo.',
      'Banjo, I mean.',
    ],
    'What does Tom play in our band?',
    'Which instrument does Tom play?',
  ),
  theme(
    'The budget of Apollo is 20000 euros.',
    '20000',
    '35000',
    [
      'The board gave Apollo a budget of 35000 euros.',
      'Apollo can spend 35000 euros, the budget was raised.',
      'Good news, the budget for Apollo grew to 35000.',
      'They raised it to 35000.',
      'Not quite, 35000.',
    ],
    'What is the budget of Apollo?',
    'How big is the budget for Apollo?',
  ),
  theme(
    'I am engaged to Paula.',
    'engaged to Paula',
    'broke up',
    [
      'Paula and I broke up.',
      'I broke up with Paula in May.',
      'It is over, Paula and I broke up for good.',
      'We broke up.',
      'Not any more, we broke up.',
    ],
    'Am I engaged to Paula?',
    'Who am I engaged to?',
  ),
  theme(
    'The parcel from Lisbon arrives on Monday.',
    'Monday',
    'Wednesday',
    [
      'The parcel from Lisbon is late, it comes on Wednesday.',
      'The courier says that the parcel arrives on Wednesday.',
      'Expect the Lisbon parcel on Wednesday.',
      'It is late and comes on Wednesday.',
      'Hold on, Wednesday.',
    ],
    'When does the parcel from Lisbon arrive?',
    'When will the parcel come?',
  ),
  theme(
    'Our project is called Falcon.',
    'Falcon',
    'Kestrel',
    [
      'We renamed our project to Kestrel.',
      'The project goes by the name of Kestrel now.',
      'Marketing wants us to call the project Kestrel from now on.',
      'We call it Kestrel now.',
      'Sorry, Kestrel.',
    ],
    'What is our project called?',
    'What is the name of the project?',
  ),
];

/** Talk between the two, which has nothing to do with them. */
const talk = [
  'The neighbours are painting their fence again.',
  'I slept badly because of the storm.',
  'Remember that the library closes at six.',
  'There is soup left in the fridge.',
];
/** How a change is told: in the same conversation or in another one, right behind or later. */
const settings = [
  { sessions: 'one', between: 0 },
  { sessions: 'each', between: 0 },
  { sessions: 'one', between: 2 },
  { sessions: 'each', between: 2 },
  { sessions: 'two', between: 1 },
] as const;

type Verdict = 'new alone' | 'new first' | 'old first' | 'old alone' | 'neither';

describe('120 dialogues of facts that change', () => {
  let engine: TestEngine['engine'];
  const clock = skippingClock();
  const builtIn = createBuiltIn();
  before(async () => {
    ({ engine } = await testEngine(undefined, (context, signal) => builtIn.next(context, signal), { clock }));
  });
  after(() => engine.stop(0));

  async function hold(t: Theme, change: number, n: number): Promise<{ verdict: Verdict; told: string }> {
    const { service } = engine;
    const agent = (await service.execute(caller, spawnAgent, {}, { name: 'Scout' })).id;
    // what only follows on the statement is said behind it in the same conversation
    const { sessions, between } =
      change < 3 ? settings[n % settings.length]! : { sessions: n % 2 ? 'one' : 'two', between: 0 };
    const say = async (content: string, session: string): Promise<string> => {
      clock.skip(n % 3 === 0 ? 24 * 3600_000 : 60_000);
      const sessionId = sessions === 'each' ? undefined : sessions === 'one' ? 'sess_1' : session;
      return (await service.messageAgent(caller, agent, { content, ...(sessionId && { sessionId }) })).response ?? '';
    };
    const others = Array.from({ length: between }, (_, i) => talk[(n + i) % talk.length]!);
    const state = n % 4 === 0 ? `Remember: ${t.state}` : t.state;
    for (const content of [state, ...others, t.changes[change]!]) await say(content, 'sess_1');
    const question = t.asks[n % 2]!;
    const answer = await say(question, 'sess_2');
    const [now, old] = [t.now, t.old].map((part) => answer.toLowerCase().indexOf(part.toLowerCase()));
    const verdict =
      now! < 0
        ? old! < 0
          ? 'neither'
          : 'old alone'
        : old! < 0
          ? 'new alone'
          : now! < old!
            ? 'new first'
            : 'old first';
    return { verdict, told: `${verdict}: ${t.state} / ${t.changes[change]!} / ${question} -> ${answer}` };
  }

  it('tell the new first or alone in nine of ten, and the old alone in one of twenty at most', async () => {
    const counts: Record<Verdict, number> = {
      'new alone': 0,
      'new first': 0,
      'old first': 0,
      'old alone': 0,
      neither: 0,
    };
    const wrong: string[] = [];
    let n = 0;
    for (const t of themes)
      for (let change = 0; change < 5; change++) {
        const { verdict, told } = await hold(t, change, n++);
        counts[verdict]++;
        if (!verdict.startsWith('new')) wrong.push(told);
      }
    expect(n).to.equal(120);
    expect((counts['new alone'] + counts['new first']) / n, wrong.join('\n')).to.be.at.least(0.9);
    expect(counts['old alone'] / n, wrong.join('\n')).to.be.at.most(0.05);
  });
});
