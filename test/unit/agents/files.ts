/** Configuration files as people and agents write them, with comments, odd indentation and other servers: of each agent, by what they show. */
export const files: Record<string, Record<string, string>> = {
  'claude-code': {
    'an empty object': '{}\n',
    'an empty file': '',
    'history, and no servers':
      '{\n  "numStartups": 12,\n  "projects": {\n    "/home/me/app": { "history": [{ "display": "fix \\"it\\" {" }] }\n  }\n}\n',
    'empty servers': '{\n  "mcpServers": {},\n  "userID": "5f0c"\n}\n',
    'servers in the middle':
      '{\n    "a": null,\n    "mcpServers": {\n        "github": {\n            "type": "http",\n            "url": "https://example.com/mcp"\n        }\n    },\n    "b": [1, 2,\n      3]\n}\n',
    'everything on one line': '{"numStartups":3,"mcpServers":{"a":{"command":"a"}},"z":{}}',
  },
  cursor: {
    'servers on lines of their own':
      '{\n  "mcpServers": {\n    "a": { "command": "a", "args": [] },\n    "b": { "command": "b" }\n  }\n}\n',
    'braces on lines of their own':
      '{\n\t"mcpServers":\n\t{\n\t\t"a":\n\t\t{\n\t\t\t"command": "a"\n\t\t}\n\t}\n}\n',
  },
  opencode: {
    'a comment behind the last server':
      '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] } // the only one\n    /* no more */\n  }\n}\n',
    'comments around commas':
      '{\n  "mcp": {\n    "a": { "type": "local" } /* one */ , // two\n    // three\n    "b": { "type": "remote" }, // four, with a comma behind\n  }, // five\n}\n',
    'an empty object with a comment':
      '{\n  "mcp": { // none yet\n  },\n  /* "mcp": {} */\n  "model": "x"\n}\n',
  },
  vscode: {
    'inputs, and commas first':
      '{\n  "inputs": []\n  , "servers": {\n      "a": { "type": "stdio", "command": "a" }\n    , "b": { "type": "http", "url": "http://localhost" }\n    }\n}\n',
  },
  zed: {
    'settings with comments':
      '// Zed settings\n//\n// https://zed.dev/docs\n{\n  "theme": "One Dark", // dark\n  "context_servers": {\n    // "old": {},\n    "a": {\n      "source": "custom",\n      "command": "a", // trailing\n    },\n  },\n  "vim_mode": true,\n}\n',
    'a comment behind servers on one line':
      '{ "context_servers": { "a": { "command": "a" } // the "only", one\n} }\n',
    'only comments before the object': '// mine\n/* all */\n{\n}\n// end\n',
  },
  'gemini-cli': {
    'settings without servers':
      '{\n   "security": {\n      "auth": { "selectedType": "oauth-personal" }\n   },\n   "ui": {"theme": "Default"}\n}',
  },
  codex: {
    'an empty file': '',
    'keys, tables and comments':
      'model = "o3" # fast\n\n[projects."/home/me/app"]\ntrust_level = "trusted"\n\n# servers\n[mcp_servers.a]\ncommand = "a"\nargs = [\n  "x", # why\n  "y",\n]\n\n',
    'texts with lines that look like tables':
      'instructions = """\n[mcp_servers.workspace-mcp]\nnot a table\n"""\n\n[mcp_servers.a]\n  command = \'\'\'\n[x]\n\'\'\'\n[mcp_servers.a.env]\n  K = "v"\n',
    'dotted keys and arrays of tables':
      'a.b.c = 1\ndate = 2024-05-01T10:00:00Z\n[[profiles]]\nname = "x"\n[[profiles]]\nname = "y"\n   \n# end',
  },
};

/** How else a text may be written. */
export const variants: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'with Windows line breaks and a byte order mark': (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
  'without a final line break': (text) => text.replace(/\n+$/, ''),
};
