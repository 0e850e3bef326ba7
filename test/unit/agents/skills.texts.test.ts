import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { marked } from '../../../src/agents/skills.ts';
import { CALL_TOOL } from '../../../src/core/calledTool.ts';
import { features } from '../../../src/features/index.ts';
import { listedTool } from '../../../src/protocol/toolSchema.ts';
import { projectRoot } from '../../host/paths.ts';

/** Bytes of a skill as it is written. */
const MOST = 2_048;

const folder = join(projectRoot, 'skills');
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const tools = new Map(features.tools.map((tool) => [tool.name, listedTool(tool)]));
const ajv = new Ajv({ strict: false });

/** The calls of a text: the tool that is named last before some JSON, and its arguments. */
const callsIn = (text: string) =>
  [...text.matchAll(/```json\n(.*?)\n```/gs)].map(({ index, 1: json = '' }) => ({
    name: [...text.slice(0, index).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].at(-1)?.[1] ?? '',
    args: JSON.parse(json),
  }));

describe('agents/skills: texts', () => {
  const names = readdirSync(folder);

  it('are those that VS Code gets, while the server runs', () => {
    const when = "workspaceMcp.state == 'running'";
    const wanted = names.map((name) => ({ path: `./skills/${name}/SKILL.md`, when }));
    assert.deepEqual(manifest.contributes.chatSkills, wanted);
  });

  for (const name of names) {
    const text = readFileSync(join(folder, name, 'SKILL.md'), 'utf8');

    it(`${name}: is short, and has plain front matter that every parser takes`, () => {
      assert.ok(Buffer.byteLength(marked(text)) < MOST, `${Buffer.byteLength(marked(text))} bytes`);
      const [, ownName, description = ''] =
        /^---\nname: (vscode-[a-z]+(?:-[a-z]+)*)\ndescription: ([A-Z].*\.)\n---\n# /.exec(text) ?? [];
      assert.equal(ownName, name);
      assert.ok(description.length <= 500, `${description.length} characters`);
      assert.doesNotMatch(description, /: | #|[<>"]/);
      assert.match(marked(text), /\nmetadata:\n {2}workspace-mcp: "[0-9a-f]{12}"\n---\n# /);
    });

    it(`${name}: names tools that there are, and has two valid calls`, () => {
      const known = new Set([...tools.keys(), CALL_TOOL.name, 'find_tools']);
      const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, one]) => one ?? '');
      assert.deepEqual(
        named.filter((one) => !known.has(one)),
        [],
      );
      const calls = callsIn(text);
      assert.equal(calls.length, 2);
      for (const { name, args } of calls) {
        const { inputSchema } = tools.get(name) ?? assert.fail(name);
        assert.ok(ajv.validate(inputSchema, args), `${name}: ${ajv.errorsText()}`);
      }
    });
  }
});
