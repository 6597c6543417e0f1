/** Which kit a folder holds, and what its report says. */
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kitIn } from './kits.js';
import { readReport } from './pytest.js';

describe('running a kit', () => {
  it('tells the kits by their files', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-kits-'));
    const holding = (name: string, ...files: string[]): string => {
      for (const file of files) {
        mkdirSync(dirname(join(dir, name, file)), { recursive: true });
        writeFileSync(join(dir, name, file), '');
      }
      return join(dir, name);
    };
    try {
      expect(kitIn(holding('a', 'tests/mandatory/x.py', 'tck/sut_client.py'))?.name).to.equal('v0.2.5');
      expect(kitIn(holding('b', 'tests/mandatory/x.py', 'tck/transport/transport_manager.py'))?.name).to.equal('0.3.x');
      expect(kitIn(holding('c', 'tests/compatibility/x.py', 'tck/transport/manager.py'))?.name).to.equal('1.0-dev');
      expect(kitIn(holding('d', 'README.md'))).to.equal(null);
      const main = holding('e', '.git/HEAD', 'tests/mandatory/x.py', 'tck/transport/transport_manager.py');
      writeFileSync(join(main, '.git/HEAD'), 'ref: refs/heads/main\n');
      expect(kitIn(main), 'branch main is no kit').to.equal(null);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it("reads pytest's report", () => {
    const xml = `<?xml version="1.0"?><testsuites><testsuite name="pytest"><testcase classname="tests.a" name="test_1" time="0.1" /><testcase classname="tests.a" name="test_2[x-&gt;y]" time="0.1"><failure message="AssertionError: it&apos;s &lt;1&gt;&#10;more">trace</failure></testcase>
<testcase classname="tests.b" name="test_3" time="0"><skipped type="pytest.skip" message="not configured">x</skipped></testcase><testcase classname="tests.b" name="test_4" time="0"><skipped type="pytest.xfail" message="known" /></testcase><testcase classname="tests.b" name="test_5" time="0"><error message="failed on setup">e</error></testcase></testsuite></testsuites>`;
    expect(readReport(xml)).to.deep.equal([
      { name: 'tests.a.test_1', outcome: 'passed', reason: '' },
      { name: 'tests.a.test_2[x->y]', outcome: 'failed', reason: "AssertionError: it's <1>\nmore" },
      { name: 'tests.b.test_3', outcome: 'skipped', reason: 'not configured' },
      { name: 'tests.b.test_4', outcome: 'xfailed', reason: 'known' },
      { name: 'tests.b.test_5', outcome: 'failed', reason: 'failed on setup' },
    ]);
  });
});
