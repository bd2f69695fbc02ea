import { skillName } from '../../export/agents/skill-name.ts'
import type { Guide } from '../guide/guide.ts'

/** A client of the Model Context Protocol, with at most three lines that connect it to a guide. */
type Setup = { client: string; lines: string }

/** The address that answers agents, and the setup of common clients. For a private guide, they open the browser. */
export function agentSetup({ publication: { record }, urls }: Guide): { address: string; clients: Setup[] } {
  const [name, url] = [skillName(record), `${urls.project(record)}/-/mcp`]
  const clients = [
    { client: 'Claude Code', lines: `claude mcp add --transport http ${name} ${url}` },
    { client: 'Codex', lines: `codex mcp add ${name} --url ${url}` },
    { client: 'Cursor, .cursor/mcp.json', lines: `{ "mcpServers": { "${name}": {\n  "url": "${url}"\n} } }` },
    { client: 'Gemini CLI', lines: `gemini mcp add --transport http ${name} ${url}` },
    {
      client: 'VS Code, .vscode/mcp.json',
      lines: `{ "servers": { "${name}": {\n  "type": "http", "url": "${url}"\n} } }`,
    },
  ]
  return { address: url, clients }
}
