import { skillName } from '../../export/agents/skill-name.ts'
import type { Guide } from '../guide/guide.ts'

/** A client of the Model Context Protocol, with at most three lines that connect it to a guide. */
type Setup = { client: string; lines: string }

/** The address that answers agents, the header for a private guide, and the setup of common clients. */
export function agentSetup({ publication: { record, published }, urls }: Guide): {
  address: string[]
  clients: Setup[]
} {
  const server = { name: skillName(record), url: `${urls.project(record)}/-/mcp` }
  const isPublic = published.visibility === 'public'
  return {
    address: isPublic ? [server.url] : [server.url, 'Authorization: Bearer $HOUSESTYLE_TOKEN'],
    clients: (isPublic ? openClients : closedClients)(server),
  }
}

type Server = { name: string; url: string }

function openClients({ name, url }: Server): Setup[] {
  return [
    { client: 'Claude Code', lines: `claude mcp add --transport http ${name} ${url}` },
    { client: 'Codex', lines: `codex mcp add ${name} --url ${url}` },
    { client: 'Cursor, .cursor/mcp.json', lines: `{ "mcpServers": { "${name}": {\n  "url": "${url}"\n} } }` },
    { client: 'Gemini CLI', lines: `gemini mcp add --transport http ${name} ${url}` },
    {
      client: 'VS Code, .vscode/mcp.json',
      lines: `{ "servers": { "${name}": {\n  "type": "http", "url": "${url}"\n} } }`,
    },
  ]
}

/** Each client has its own way to read a token from the environment or from a prompt. */
function closedClients({ name, url }: Server): Setup[] {
  const header = '--header "Authorization: Bearer $HOUSESTYLE_TOKEN"'
  const bearer = (token: string) => `"headers": { "Authorization": "Bearer \${${token}}" }`
  const asked = '{ "type": "promptString", "id": "token", "description": "Token", "password": true }'
  return [
    { client: 'Claude Code', lines: `claude mcp add --transport http ${name} ${url} ${header}` },
    { client: 'Codex', lines: `codex mcp add ${name} --url ${url} --bearer-token-env-var HOUSESTYLE_TOKEN` },
    {
      client: 'Cursor, .cursor/mcp.json',
      lines: `{ "mcpServers": { "${name}": { "url": "${url}",\n  ${bearer('env:HOUSESTYLE_TOKEN')}\n} } }`,
    },
    { client: 'Gemini CLI', lines: `gemini mcp add --transport http ${header} ${name} ${url}` },
    {
      client: 'VS Code, .vscode/mcp.json',
      lines: `{ "inputs": [${asked}],\n  "servers": { "${name}": { "type": "http", "url": "${url}",\n    ${bearer('input:token')} } } }`,
    },
  ]
}
