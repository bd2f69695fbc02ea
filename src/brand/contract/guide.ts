import { API_PATH } from './operations.ts'
import { PATH_IDS } from './schemas.ts'

/** A section of the API guide: paragraphs, with code between backticks, and blocks of shell commands. */
export type Section = { id: string; title: string; blocks: readonly (string | { shell: string })[] }

/**
 * Explains the API apart from its operations and errors: the source of `/docs`, docs/api.md and the description in the
 * OpenAPI document. Examples use the service at `publicUrl`.
 */
export function guide(publicUrl: string): readonly Section[] {
  const fill = (shell: string) =>
    shell.replace('{base_url}', `{public_url}${API_PATH}`).replace('{public_url}', () => publicUrl)
  return GUIDE.map(({ blocks, ...section }) => ({
    ...section,
    blocks: blocks.map(block => (typeof block === 'string' ? block : { shell: fill(block.shell) })),
  }))
}

/** Returns a shell command that requests the path of an operation, with the ids of the example brand. */
export function exampleRequest(publicUrl: string, path: string): string {
  return curl(`${publicUrl}${API_PATH}${examplePath(path)}`)
}

/** Fills the ids of the example brand into the path of an operation. */
export function examplePath(path: string): string {
  const exampleId = (_: string, name: string) => encodeURIComponent(String(PATH_IDS[name]?.examples?.[0]))
  return path.replace(/\{([^{}]+)\}/g, exampleId)
}

/** The order of the checks, and the common properties of errors. */
export const ON_ERRORS: readonly string[] = [
  'Every error has the same JSON body. Programs should check only the status and `error`. Clients that send `Authorization: Bearer` get this body at every address, including the website.',
  'The first failing check determines the reply: the form of the request (400), the path (404), the method (405), the token (401), the limit of its workspace (429), its scope (403), and whether this token can see something at this address (404). Missing content, unpublished content and content that the token does not cover get the same 404.',
  'A 401 gives its reason twice: the body has the code `invalid_client`, and `WWW-Authenticate` follows RFC 6750, with `error="invalid_token"` for an invalid token and no code if no token was sent. The fix for both is a current token.',
]

/** The differences of errors of `/oauth/token`. */
export const ON_TOKEN_ERRORS =
  'Errors of `/oauth/token` have the same body and the codes of RFC 6749 and RFC 8707. A 401 carries `WWW-Authenticate: Basic`.'

const GUIDE: readonly Section[] = [
  {
    id: 'token',
    title: 'Getting a token',
    blocks: [
      'Every operation is a GET and needs a bearer token: a JWT with scopes for one workspace. The operator of the service issues it:',
      { shell: 'TOKEN=$(housestyle token issue acme)' },
      'This token has all six scopes, covers all projects of the workspace and is valid for one hour. `--scope styles.read` and `--project guidelines` restrict it; `--expires 30d` changes its lifetime (at most 366 days). Then send a request:',
      { shell: curl('{base_url}/workspace/acme') },
      'A long-running program requests tokens itself, as a client (OAuth 2.0, client credentials grant). The operator creates the client; its secret is shown only once:',
      { shell: 'housestyle client create acme --scope styles.read' },
      'Its tokens are valid for one hour. Send the id and secret as HTTP Basic, as here, or as `client_id` and `client_secret` in the form:',
      {
        shell:
          'curl -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials \\\n  {public_url}/oauth/token',
      },
      'The reply is JSON with `access_token`, `token_type`, `expires_in`, `scope` and `resource`. `scope` requests a subset of the client’s scopes, separated by spaces. `resource` can only be the client’s workspace, as `{base_url}/workspace/{workspace}` or `{public-url}/workspace/{workspace}`, or the address for agents, `{public-url}/mcp`; the reply repeats it, and the token’s `aud` also contains it. `/.well-known/oauth-authorization-server` names the token endpoint (RFC 8414).',
    ],
  },
  {
    id: 'paths',
    title: 'Ids in paths',
    blocks: [
      'Percent-encode each id once. A page id may contain slashes: send `logo/misuse` as `logo%2Fmisuse` or with a plain slash.',
      'An empty segment (a trailing slash, a missing id), `..`, a NUL and bytes that are not UTF-8 get 400. Query parameters and bodies of up to 64 KiB are ignored.',
      'Store ids instead of names: a name may change with any publication, but an id stays the same if the brand team pins it or does not move the file.',
    ],
  },
  {
    id: 'replies',
    title: 'Replies',
    blocks: [
      'A reply is a complete JSON object in UTF-8, without pagination. Optional fields without a value are omitted; no field is ever null. Replies about a project come from one published, immutable snapshot, which `Housestyle-Revision` names: two replies with the same value belong together. `Accept-Encoding` may select `br` or `gzip`.',
    ],
  },
  {
    id: 'caching',
    title: 'Caching',
    blocks: [
      'Every reply has a strong `ETag`. Send it back as `If-None-Match`: if nothing has changed, the reply is a 304 without a body. The tag of any encoding of the current content matches.',
      { shell: curl('{base_url}/workspace/acme/project/guidelines/styles', '-H "If-None-Match: $ETAG"') },
      'Replies are `private, no-cache`: a client may store them and must revalidate them before each use. Errors are `no-store`.',
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    blocks: [
      'Requests count towards the limit of the token’s workspace, by default 600 in any 60 seconds. `RateLimit-Policy` contains the limit, and `RateLimit` the remaining requests. Further requests get 429 with the seconds to wait in `Retry-After`.',
      'Requests without a valid token, OPTIONS requests and requests that get 429 do not count; a 304 counts. The limit is 8 KiB for a request target and 16 KiB for the header fields.',
    ],
  },
  {
    id: 'methods',
    title: 'HEAD, OPTIONS and browsers',
    blocks: [
      'HEAD gets the same reply as GET, without the body. OPTIONS gets 204 with `Allow` and needs no token. Every other method gets 405.',
      'Pages from another origin may read the API if the operator allows the origin with `--cors`. They may send `Authorization` and `If-None-Match`, and read `ETag`, `Retry-After`, `RateLimit`, `RateLimit-Policy`, `Housestyle-Revision` and `X-Request-Id`. Everyone can read a token in a page, so use one that covers little.',
    ],
  },
  {
    id: 'revisions',
    title: 'Earlier revisions',
    blocks: [
      'A build that must not change requests a revision by number. If the published `project.yaml` has `revisions: served`, the pages, each page, the styles and the files of every revision are below `/revision/{n}/beta`, with the same token, scopes and limit:',
      { shell: curl('{public_url}/revision/7/beta/workspace/acme/project/guidelines/styles') },
      'The reply is byte for byte the same as while the revision was current, with the same `ETag` and `Housestyle-Revision`, which contains the number. File addresses in it work as long as the revision is served. Page links point to the website, which shows the current revision.',
      'Retracted, freed and unknown revisions get the usual 404, and so does every revision of a project that is unpublished or does not serve revisions; in that case, the reply to a token that covers the project names `revisions: served`. The workspace, its project list and the project itself have no revisions.',
    ],
  },
  {
    id: 'compatibility',
    title: 'Compatibility',
    blocks: [
      'The path segment `beta` names this version. It may get new optional fields, so ignore unknown ones. A breaking change gets a new path segment, and the old one stays for twelve more months with the `Deprecation` and `Sunset` fields.',
    ],
  },
]

function curl(address: string, more?: string): string {
  return [`curl -H "Authorization: Bearer $TOKEN"`, more, address].filter(part => part !== undefined).join(' \\\n  ')
}
