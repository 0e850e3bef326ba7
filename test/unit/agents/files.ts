/** Configuration files as people and agents write them, with comments, odd indentation and other servers. */

export interface Written {
  /** The agent whose file it is. */
  agent: string;
  what: string;
  text: string;
  /** Whether our entry gets into an object that has others. */
  hasOthers?: boolean;
}

export const files: readonly Written[] = [
  { agent: 'claude-code', what: 'an empty object', text: '{}\n' },
  { agent: 'claude-code', what: 'an empty object on two lines', text: '{\n}\n' },
  { agent: 'claude-code', what: 'an empty file', text: '' },
  { agent: 'claude-code', what: 'only white space', text: '\n  \n' },
  {
    agent: 'claude-code',
    what: 'history, and no servers',
    text: '{\n  "numStartups": 12,\n  "projects": {\n    "/home/me/app": { "history": [{ "display": "fix \\"it\\" {" }] }\n  }\n}\n',
  },
  {
    agent: 'claude-code',
    what: 'empty servers',
    text: '{\n  "mcpServers": {},\n  "userID": "5f0c"\n}\n',
  },
  {
    agent: 'claude-code',
    what: 'servers in the middle',
    text: '{\n    "a": null,\n    "mcpServers": {\n        "github": {\n            "type": "http",\n            "url": "https://example.com/mcp"\n        }\n    },\n    "b": [1, 2,\n      3]\n}\n',
    hasOthers: true,
  },
  {
    agent: 'claude-code',
    what: 'everything on one line',
    text: '{"numStartups":3,"mcpServers":{"a":{"command":"a"}},"z":{}}',
    hasOthers: true,
  },
  { agent: 'claude-code', what: 'one line without servers', text: '{"theme":"dark"}\n' },
  {
    agent: 'cursor',
    what: 'servers on lines of their own',
    text: '{\n  "mcpServers": {\n    "a": { "command": "a", "args": [] },\n    "b": { "command": "b" }\n  }\n}\n',
    hasOthers: true,
  },
  {
    agent: 'cursor',
    what: 'braces on lines of their own',
    text: '{\n\t"mcpServers":\n\t{\n\t\t"a":\n\t\t{\n\t\t\t"command": "a"\n\t\t}\n\t}\n}\n',
    hasOthers: true,
  },
  {
    agent: 'cursor',
    what: 'servers in one line of several',
    text: '{\n  "mcpServers": { "a": { "command": "a" }, "b": { "command": "b" } }\n}\n',
    hasOthers: true,
  },
  {
    agent: 'opencode',
    what: 'a comment behind the last server',
    text: '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] } // the only one\n    /* no more */\n  }\n}\n',
    hasOthers: true,
  },
  {
    agent: 'opencode',
    what: 'comments around commas',
    text: '{\n  "mcp": {\n    "a": { "type": "local" } /* one */ , // two\n    // three\n    "b": { "type": "remote" }, // four, with a comma behind\n  }, // five\n}\n',
    hasOthers: true,
  },
  {
    agent: 'opencode',
    what: 'an empty object with a comment',
    text: '{\n  "mcp": { // none yet\n  },\n  /* "mcp": {} */\n  "model": "x"\n}\n',
  },
  {
    agent: 'vscode',
    what: 'inputs, and commas first',
    text: '{\n  "inputs": []\n  , "servers": {\n      "a": { "type": "stdio", "command": "a" }\n    , "b": { "type": "http", "url": "http://localhost" }\n    }\n}\n',
    hasOthers: true,
  },
  {
    agent: 'zed',
    what: 'settings with comments',
    text: '// Zed settings\n//\n// https://zed.dev/docs\n{\n  "theme": "One Dark", // dark\n  "context_servers": {\n    // "old": {},\n    "a": {\n      "source": "custom",\n      "command": "a", // trailing\n    },\n  },\n  "vim_mode": true,\n}\n',
    hasOthers: true,
  },
  {
    agent: 'zed',
    what: 'a comment behind servers on one line',
    text: '{ "context_servers": { "a": { "command": "a" } // the "only", one\n} }\n',
    hasOthers: true,
  },
  { agent: 'zed', what: 'only comments before the object', text: '// mine\n/* all */\n{\n}\n// end\n' },
  {
    agent: 'gemini-cli',
    what: 'settings without servers',
    text: '{\n   "security": {\n      "auth": { "selectedType": "oauth-personal" }\n   },\n   "ui": {"theme": "Default"}\n}',
  },
  { agent: 'codex', what: 'an empty file', text: '' },
  { agent: 'codex', what: 'only a comment', text: '# nothing yet\n' },
  {
    agent: 'codex',
    what: 'keys, tables and comments',
    text: 'model = "o3" # fast\n\n[projects."/home/me/app"]\ntrust_level = "trusted"\n\n# servers\n[mcp_servers.a]\ncommand = "a"\nargs = [\n  "x", # why\n  "y",\n]\n\n',
    hasOthers: true,
  },
  {
    agent: 'codex',
    what: 'texts with lines that look like tables',
    text: 'instructions = """\n[mcp_servers.workspace-mcp]\nnot a table\n"""\n\n[mcp_servers.a]\n  command = \'\'\'\n[x]\n\'\'\'\n[mcp_servers.a.env]\n  K = "v"\n',
    hasOthers: true,
  },
  {
    agent: 'codex',
    what: 'dotted keys and arrays of tables',
    text: 'a.b.c = 1\ndate = 2024-05-01T10:00:00Z\n[[profiles]]\nname = "x"\n[[profiles]]\nname = "y"\n   \n# end',
    hasOthers: true,
  },
  { agent: 'goose', what: 'an empty file', text: '' },
  {
    agent: 'goose',
    what: 'no extensions',
    text: '# mine\nGOOSE_PROVIDER: openai # paid\nGOOSE_MODEL: "gpt"\n',
  },
  {
    agent: 'goose',
    what: 'extensions at the end',
    text: 'GOOSE_MODE: auto\nextensions:\n    developer:\n        bundled: true\n        enabled: true\n        # a comment\n        name: developer\n    # memory:\n    #     enabled: false\n',
    hasOthers: true,
  },
  {
    agent: 'goose',
    what: 'extensions at the start, with texts',
    text: 'extensions: # all\n\n  a:\n    type: stdio\n    cmd: a\n    description: |\n      Two\n\n      lines: yes\n\n# provider\nGOOSE_PROVIDER: x\nlist:\n- 1\n- 2\n',
    hasOthers: true,
  },
  { agent: 'goose', what: 'empty extensions', text: 'extensions: {} # none\nGOOSE_PROVIDER: x\n' },
];

/** How else a text may be written. */
export const variants: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'with Windows line breaks': (text) => text.replaceAll('\n', '\r\n'),
  'with a byte order mark': (text) => `\ufeff${text}`,
  'without a final line break': (text) => text.replace(/\n+$/, ''),
};
