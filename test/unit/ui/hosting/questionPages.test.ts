import assert from 'node:assert/strict';
import { formFields } from '../../../../src/hosting/answers/form.ts';
import type { Note } from '../../../../src/ui/approvals/page.ts';

const { formPage, formReader } = await import('../../../../src/ui/hosting/questionPages.ts');

const PROPERTIES = {
  email: { type: 'string', title: 'Email\u202e', format: 'email', description: 'Yours\nor mine' },
  pages: { type: 'integer', default: 3 },
  kind: { type: 'string', enum: ['s', 'l'], enumNames: ['Short', 'Long'], default: 'l' },
  notes: { type: 'string', maxLength: 500 },
  key: { type: 'string', title: 'API key' },
};
const fields = formFields({ type: 'object', properties: PROPERTIES, required: ['email'] });
const asking = {
  server: 'db',
  key: '',
  callers: { agents: [{ id: 1, agent: 'Claude', directory: '/ws' }], ended: new AbortController().signal },
};
const asked = {
  id: 7,
  agent: 'db',
  message: 'Who?\n\u202e',
  askers: () => [{ agent: 'db' }],
  askedAt: 0,
  endsAt: 0,
};
const page = (own: object = {}) => formPage({ ...asked, ...own }, asking, fields);

describe('ui/hosting/questionPages: the page of a form', () => {
  it('says who asks, for which agent, and that the server reads the answers', () => {
    const { heading, from, title, detail } = page();
    assert.equal(heading, 'A question from the MCP server “db”');
    assert.match(
      from,
      /^It asks during a call of “Claude” \(\/ws\)\. The server reads .*never enter passwords/,
    );
    assert.deepEqual([title, detail], ['“db” asks: “Who? \\u{202e}”', ['Who?\n\\u{202e}']]);
    const several = {
      agents: [
        { id: 1, agent: 'Claude', number: 1 },
        { id: 2, agent: 'Codex' },
      ],
      ended: asking.callers.ended,
    };
    const told = formPage(asked, { ...asking, callers: several }, []).from;
    assert.match(told, /one of these agents: “Claude” #1, “Codex”$/);
    const nobody = { ...several, agents: [] };
    assert.equal(formPage(asked, { ...asking, callers: nobody }, []).from, 'No agent waits for the answer.');
  });

  it('has all fields, with what they have at first', () => {
    const shown = page().form?.fields ?? [];
    assert.deepEqual(
      shown.map(({ type, label, isRequired, isLong, entry }) => [type, label, isRequired, isLong, entry]),
      [
        ['text', 'Email\\u{202e}', true, false, ''],
        ['integer', 'pages', false, false, '3'],
        ['choice', 'kind', false, false, [1]],
        ['text', 'notes', false, true, ''],
        ['text', 'API key', false, false, ''],
      ],
    );
    assert.deepEqual([shown[0]?.description, shown[0]?.placeholder], ['Yours\nor mine', 'name@example.com']);
    assert.deepEqual(shown[2]?.options, ['Short', 'Long']);
  });
});

describe('ui/hosting/questionPages: the answer to a form', () => {
  const { take, closed } = formReader('db', fields);
  let notes: readonly Note[];
  const click = (button: number | undefined, ...entries: unknown[]) =>
    take({ entries, ...(button !== undefined && { button }) }, (told) => {
      notes = told;
    });
  beforeEach(() => {
    notes = [];
  });

  it('is sent only if nothing is wrong with it, and without what is left empty', () => {
    assert.equal(click(0, 'nobody', 'x', [9], '', ''), undefined);
    assert.deepEqual(
      notes.map(({ problem }) => problem),
      ['It must be an email address.', 'It must be a number, such as 1.5.', '', '', ''],
    );
    assert.deepEqual(click(0, 'a@b.org', '', [0], '', ''), {
      action: 'accept',
      content: { email: 'a@b.org', kind: 's' },
    });
  });

  it('is only checked while the user is typing', () => {
    assert.equal(click(undefined, 'a@b.org', '3', [1], '', ''), undefined);
    const problems = notes.map(({ problem }) => problem);
    assert.deepEqual(problems, ['', '', '', '', '']);
  });

  it('is declined whatever is in the form, and cancelled if the user closes it', () => {
    assert.deepEqual(click(1), { action: 'decline' });
    assert.deepEqual(closed, { action: 'cancel' });
    const taken = take({ words: 'x' }, () => {});
    assert.equal(taken, undefined);
  });

  it('warns of what asks for a secret, or looks like one', () => {
    const warnings = (told: readonly Note[] = []) => told.map(({ warning }) => warning.split(/[.,]/)[0]);
    assert.deepEqual(warnings(page().notes), ['', '', '', '', 'This asks for a secret']);
    click(undefined, '', '', [], ' ghp_0123456789abcdef', 'x');
    assert.deepEqual(warnings(notes), ['', '', '', 'This looks like a secret', 'This asks for a secret']);
  });
});
