import { breaks, holds } from './expectations.js';
import { questionsModel, type QuestionOptions } from './questions.js';

describe('Model: a question from agent to agent', () => {
  const model = (options: QuestionOptions) => () => questionsModel(options);
  const calm = { crashes: 0, cancels: 0 };

  holds('holds with a crash and a cancel', model({}));
  holds('holds where the asked agent is deleted', model({ cancels: 0, deletesB: 1 }));
  holds('holds where the asking agent is deleted', model({ cancels: 0, deletesA: 1 }));
  holds('holds where both are deleted', model({ ...calm, deletesA: 1, deletesB: 1 }));
  holds('holds where both are deleted, with a crash and a cancel', model({ deletesA: 1, deletesB: 1 }), true);
  breaks('Q1', 'without a record at the asked agent', model({ ...calm, record: false }));
  breaks('Q1', 'without the fence of the store', model({ fence: false }));
  breaks('Q2', 'where an answer is taken in that nobody waits for', model({ ...calm, open: false }));
  breaks('Q4', 'where a withdrawal that comes first is not recorded', model({ crashes: 0, recordsWithdrawal: false }));
  breaks('goal', 'where a question leaves the outbox when it is sent', model({ ...calm, removed: 'sent' }));
  breaks('goal', 'where an answer is not part of the commit that ends its run', model({ cancels: 0, owed: false }));
  breaks('goal', 'where a refusal is no outcome', model({ ...calm, deletesB: 1, refusalCounts: false }));
  breaks('goal', 'where a deletion removes what the agent owes', model({ ...calm, deletesB: 1, delivers: false }));
  breaks(
    'goal',
    'where two agents that are being deleted wait for one another',
    model({ ...calm, deletesA: 1, deletesB: 1, sparesDeleting: false }),
  );
});
