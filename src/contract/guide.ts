import { API_PATH } from './operations.ts'
import { PATH_IDS } from './schemas.ts'

/** A section of the API guide: paragraphs, with code between backticks, and blocks of shell commands. */
export type Section = { id: string; title: string; blocks: readonly (string | { shell: string })[] }

/**
 * Explains the API apart from its operations and errors: the source of `/docs`, docs/api.md and the description in the
 * OpenAPI document. Examples use the service at `publicUrl`.
 */
export function guide(publicUrl: string): readonly Section[] {
  return GUIDE.map(({ id, title, blocks }) => ({
    id,
    title,
    blocks: blocks.map(block =>
      typeof block === 'string'
        ? block
        : {
            shell: block.shell
              .replace('{base_url}', `{public_url}${API_PATH}`)
              .replace('{public_url}', () => publicUrl),
          },
    ),
  }))
}

/** Returns a shell command that requests the path of an operation, with the ids of the example brand. */
export function exampleRequest(publicUrl: string, path: string): string {
  return curl(`${publicUrl}${API_PATH}${examplePath(path)}`)
}

/** Fills the ids of the example brand into the path of an operation. */
export function examplePath(path: string): string {
  const exampleId = (_: string, name: string) => encodeURIComponent(String(PATH_IDS[name]?.examples?.[0]))
  return path.replace(/\{([^}]+)\}/g, exampleId)
}

/** The order of the checks, and the common properties of errors. */
export const ON_ERRORS: readonly string[] = [
  'Every error has the same JSON body: `error` is the code, `error_description` tells people the request, the problem and the fix, and `error_uri` links to the code in the documentation. Programs should check only the status and `error`. Clients that send `Authorization: Bearer` get errors in this form at every address, including the website.',
  'The checks run in this order, and the first one that fails determines the reply: the form of the request (400), the path (404), the method (405), the token (401), the limit of its workspace (429), its scope (403), and whether this token can see something at this address (404). A 404 reveals nothing: missing content, unpublished content and content that the token does not cover get the same body.',
  'A 401 gives its reason twice, because two specifications define it. The body has the only code that this interface has for it, `invalid_client`. The field `WWW-Authenticate` follows RFC 6750, as OAuth libraries expect: `error="invalid_token"` for an invalid token, and no code if no token was sent. Check the one that your library shows; the fix for both is a current token.',
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
      'This token has all six scopes, covers all projects of the workspace and is valid for one hour. `--scope styles.read` and `--project guidelines` restrict it; `--expires 30d` changes its lifetime, which is at most 366 days. Then send a request:',
      { shell: curl('{base_url}/workspace/acme') },
      'A long-running program uses a client instead, and requests tokens itself (OAuth 2.0, the client credentials grant). The operator of the service creates the client; its secret is shown only once:',
      { shell: 'housestyle client create acme --scope styles.read' },
      'Its tokens are valid for one hour; request a new one when a token expires. Send the id and secret as HTTP Basic, as in this example, or as `client_id` and `client_secret` in the form:',
      {
        shell:
          'curl -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials \\\n  {public_url}/oauth/token',
      },
      'The reply is JSON with `access_token`, `token_type`, `expires_in`, `scope` and `resource`. `scope` requests a subset of the client’s scopes, separated by spaces; `resource` can only be the client’s workspace, as `{base_url}/workspace/{id}` or `{public-url}/workspace/{id}`, or the address for agents, `{public-url}/mcp`: the reply repeats it unchanged, and the token’s `aud` contains it in addition to the API. Programs find the token endpoint through `/.well-known/oauth-authorization-server` (RFC 8414).',
    ],
  },
  {
    id: 'paths',
    title: 'Ids in paths',
    blocks: [
      'Percent-encode each id once. The id of a page is its url within the project and may contain slashes: send `logo/misuse` as `logo%2Fmisuse` or with a plain slash; the reply is the same.',
      'The API refuses an empty segment, and so a trailing slash or a missing id, with 400; the same applies to `..`, a NUL and bytes that are not UTF-8. It ignores query parameters and bodies of up to 64 KiB.',
      'Programs should store ids instead of names: a name may change with any publication, but an id stays the same if the brand team pins it or does not move the file.',
    ],
  },
  {
    id: 'replies',
    title: 'Replies',
    blocks: [
      'A reply is a JSON object in UTF-8. It is complete: results have no pagination. Optional fields without a value are omitted; no field is ever null. The replies about a project come from one published, immutable snapshot, which `Housestyle-Revision` names: two replies with the same value belong together.',
      'Replies are encoded with `br`, with `gzip` or not at all, depending on `Accept-Encoding`.',
    ],
  },
  {
    id: 'caching',
    title: 'Caching',
    blocks: [
      'Every reply has a strong `ETag`. Store it with the reply and send it back as `If-None-Match`: as long as nothing has changed, the reply is a 304 without a body. The tag of any encoding of the current content matches.',
      { shell: curl('{base_url}/workspace/acme/project/guidelines/styles', '-H "If-None-Match: $ETAG"') },
      'Replies are `private, no-cache`: a client may store them and must revalidate them before each use. Errors are `no-store`.',
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    blocks: [
      'Requests count towards the limit of the token’s workspace, in a sliding window: 600 requests in 60 seconds by default. `RateLimit-Policy` contains the limit, and `RateLimit` contains the remaining requests. Requests beyond the limit get 429, and `Retry-After` contains the number of seconds to wait.',
      'Requests without a valid token, OPTIONS requests and requests that get 429 do not count; a 304 counts. The limit is 8 KiB for a request target and 16 KiB for the header fields.',
    ],
  },
  {
    id: 'methods',
    title: 'HEAD, OPTIONS and browsers',
    blocks: [
      'HEAD gets the same reply as GET, without the body. OPTIONS gets 204 with `Allow` and needs no token. Every other method gets 405.',
      'Pages from another origin may read the API if the operator of the service allows the origin with `--cors`. Preflight requests then allow `Authorization` and `If-None-Match`, and scripts may read `ETag`, `Retry-After`, `RateLimit`, `RateLimit-Policy` and `Housestyle-Revision`. Everyone can read a token in a page, so use one that covers little.',
    ],
  },
  {
    id: 'revisions',
    title: 'Earlier revisions',
    blocks: [
      'A build that must not change requests a revision by number. If `project.yaml` has `revisions: served` and that setting is published, the service offers the pages, a page, the styles and the files of every revision of the project below `/revision/{n}/beta`, with the same token, scopes and limit:',
      { shell: curl('{public_url}/revision/7/beta/workspace/acme/project/guidelines/styles') },
      'The reply is byte for byte the same as while the revision was current, with the same `ETag` and `Housestyle-Revision`. Find the number of a revision in `Housestyle-Revision`; the number of the current revision works too. File addresses in the reply work as long as the revision is served. Page links point to the website, which shows the current revision.',
      'Only the latest publication of a project decides which revisions are served. A withdrawn or freed revision, a number that the project never had, and every number of a project that is unpublished or does not serve its revisions get the usual 404. The workspace, its project list and the project itself have no revisions and no such path.',
    ],
  },
  {
    id: 'compatibility',
    title: 'Compatibility',
    blocks: [
      'The path segment `beta` names this version. We may add optional fields to it, so ignore unknown fields. A breaking change gets a new path segment, and the old one remains available for twelve more months with the `Deprecation` and `Sunset` fields.',
    ],
  },
]

function curl(address: string, more?: string): string {
  return [`curl -H "Authorization: Bearer $TOKEN"`, more, address].filter(part => part !== undefined).join(' \\\n  ')
}
