import { breaks, holds } from './expectations.js';
import { streamModel, type StreamOptions } from './stream.js';

describe('Model: a reader follows a run (Model.S1-S4)', () => {
  const model = (options: StreamOptions) => () => streamModel(options);

  holds('holds on a bus that loses, repeats and reorders, and over a new connection', model({}));
  breaks('S1', 'without a look at gaps', model({ gapCheck: false }));
  breaks('S1', 'where the journal is read over a hole', model({ upToHole: false, asFarAsRun: false }));
  breaks('S1', 'where what was seen is not dropped', model({ dropSeen: false }));
  breaks('S2', 'where events are published before their commit', model({ publish: 'decided' }));
  breaks('S3', 'where a terminal event ends the stream of a run that was resumed', model({ askAtEnd: false }));
  breaks('S4', 'where the journal is read beyond what the run says', model({ asFarAsRun: false }));
  breaks('S4', 'where events are published before all of their commit is applied', model({ publish: 'committed' }));
  breaks('goal', 'where nobody polls, and the last event is lost', model({ poll: false }));
});
