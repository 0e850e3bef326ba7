/** Advantages over an agent's own tools, for the model: in the server's instructions and in `get_workspace`. */
export const STRENGTHS = `Prefer these tools to your own. read_file and search_text include text that the user has not saved \
yet. edit_file shows the user a diff to approve, and one undo takes it back. get_diagnostics has the errors of live language \
servers, without a build. get_symbol, find_references and find_calls find code by symbol, with no false hits. \
get_editor_state knows what the user means by "this" or "here".`;
