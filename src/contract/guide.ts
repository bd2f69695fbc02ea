import { API_PATH } from './operations.ts'
import { PATH_IDS } from './schemas.ts'

/** A section of the guide to the API: paragraphs, with code between backticks, and blocks of shell commands. */
export type Section = { id: string; title: string; blocks: readonly (string | { shell: string })[] }

/**
 * What people need to know of the API beside its operations and errors: the source of `/docs`, of docs/api.md and of
 * the description in the OpenAPI document. Examples show the service at `publicUrl`.
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

/** A shell command that requests the path of an operation, with the ids of the example brand. */
export function exampleRequest(publicUrl: string, path: string): string {
  return curl(`${publicUrl}${API_PATH}${examplePath(path)}`)
}

/** The path of an operation with the ids of the example brand. */
export function examplePath(path: string): string {
  const exampleId = (_: string, name: string) => encodeURIComponent(String(PATH_IDS[name]?.examples?.[0]))
  return path.replace(/\{([^}]+)\}/g, exampleId)
}

/** The order of checks, and what errors have in common. */
export const ON_ERRORS: readonly string[] = [
  'Every error has the same JSON body: `error` is the code, `error_description` says for people what was asked, what is wrong and what to do, and `error_uri` leads to the code in the documentation. Programs should look at the status and at `error` alone. Whoever sends `Authorization: Bearer` gets errors in this form at every address, those of the website too.',
  'The checks come in this order, and the first that fails is the answer: the form of the request (400), the path (404), the method (405), the token (401), the limit of its workspace (429), its scope (403), and whether there is something at this place for this token (404). A 404 gives nothing away: what does not exist, what is not published and what the token does not cover are answered with the same body.',
  'A 401 names its reason twice, since two specifications do. The body has the one code that this interface knows for it, `invalid_client`. The field `WWW-Authenticate` speaks RFC 6750, as libraries for OAuth expect: `error="invalid_token"` where a token was sent that is not valid, and no code where none was sent. Look at whichever your library shows; the remedy for both is a current token.',
]

/** How errors of `/oauth/token` differ. */
export const ON_TOKEN_ERRORS =
  'Errors of `/oauth/token` have the same body and the codes of RFC 6749 and RFC 8707. A 401 carries `WWW-Authenticate: Basic`.'

const GUIDE: readonly Section[] = [
  {
    id: 'token',
    title: 'Getting a token',
    blocks: [
      'Every operation is a GET and needs a bearer token: a JWT for one workspace that carries scopes. Whoever runs the service issues it:',
      { shell: 'TOKEN=$(housestyle token issue acme)' },
      'Such a token carries all six scopes, covers all projects of the workspace and is valid for one hour. `--scope styles.read` and `--project guidelines` narrow it, `--expires 30d` changes how long it is valid; a token is valid for at most 366 days. Then ask:',
      { shell: curl('{base_url}/workspace/acme') },
      'A program that runs for long is given a client instead, and asks for tokens itself (OAuth 2.0, the client credentials grant). Whoever runs the service makes it, and its secret is shown once:',
      { shell: 'housestyle client create acme --scope styles.read' },
      'Its tokens are valid for one hour; ask for the next when one ends. Send id and secret as HTTP Basic, as here, or as `client_id` and `client_secret` in the form:',
      {
        shell:
          'curl -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials \\\n  {public_url}/oauth/token',
      },
      'The reply is JSON with `access_token`, `token_type`, `expires_in`, `scope` and `resource`. `scope` asks for a part of the client’s scopes, separated by spaces; `resource` can only be the client’s workspace, as `{base_url}/workspace/{id}` or as `{public-url}/workspace/{id}`: the reply repeats it as it was sent, and the token’s `aud` has it beside the API. `/.well-known/oauth-authorization-server` says all of this to programs (RFC 8414).',
    ],
  },
  {
    id: 'paths',
    title: 'Ids in paths',
    blocks: [
      'Write each id percent-encoded, once. The id of a page is its url within the project and may hold slashes: `logo/misuse` is sent as `logo%2Fmisuse` or with a plain slash, and the reply is the same.',
      'An empty segment, and so a trailing slash or a missing id, is refused with 400; so are `..`, a NUL, and what is not UTF-8. Query parameters and bodies of up to 64 KiB are ignored.',
      'Programs should keep ids and not names: a name may change with any publication, while an id stays where the brand team pins it or leaves the file where it is.',
    ],
  },
  {
    id: 'replies',
    title: 'Replies',
    blocks: [
      'A reply is a JSON object in UTF-8. It is whole: there are no pages of results. Optional fields that were not given are left out; none is ever null. The replies about a project come from one published, immutable snapshot, which `Housestyle-Revision` names: two replies with the same value belong together.',
      'Replies come in `br`, `gzip` or as they are, as `Accept-Encoding` asks.',
    ],
  },
  {
    id: 'caching',
    title: 'Caching',
    blocks: [
      'Every reply has a strong `ETag`. Keep it beside the reply and send it back as `If-None-Match`: as long as nothing changed the answer is 304 without a body. The tag of any encoding of the current content matches.',
      { shell: curl('{base_url}/workspace/acme/project/guidelines/styles', '-H "If-None-Match: $ETAG"') },
      'Replies are `private, no-cache`: a client may keep them and asks before each use. Errors are `no-store`.',
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    blocks: [
      'Requests are counted for the workspace that the token names, in a sliding window: 600 requests in 60 seconds unless the service is set up otherwise. `RateLimit-Policy` gives the limit and `RateLimit` what is left of it. Past it, requests are answered 429, and `Retry-After` says how many seconds to wait.',
      'Requests without a valid token, OPTIONS and requests answered 429 do not count; 304 counts. A request target may have 8 KiB, the header fields 16 KiB.',
    ],
  },
  {
    id: 'methods',
    title: 'HEAD, OPTIONS and browsers',
    blocks: [
      'HEAD is answered as GET, without the body. OPTIONS is answered 204 with `Allow` and needs no token. Every other method is answered 405.',
      'Pages of other origins may read the API where whoever runs the service named the origin with `--cors`. Preflight requests then allow `Authorization` and `If-None-Match`, and scripts may read `ETag`, `Retry-After`, `RateLimit`, `RateLimit-Policy` and `Housestyle-Revision`. A token in a page is everyone’s: use one that carries little.',
    ],
  },
  {
    id: 'revisions',
    title: 'Earlier revisions',
    blocks: [
      'A build that must not change asks for a revision by its number. Where `project.yaml` says `revisions: served` and that is published, the pages, a page, the styles and the files of every revision of the project are served below `/revision/{n}/beta`, with the same token, scopes and limit:',
      { shell: curl('{public_url}/revision/7/beta/workspace/acme/project/guidelines/styles') },
      'The reply is byte for byte what the API answered while the revision was the current one, with the same `ETag` and `Housestyle-Revision`, which is also where its number is read; the current revision can be asked for by its number too. The addresses of files in it work for as long as the revision is served. Links to pages lead to the website, which shows the current revision.',
      'What of a project is served is decided by its latest publication alone. A revision that was taken back or freed, a number that the project never had, and every number of a project that is unpublished or does not serve its revisions are answered 404 as whatever does not exist. The workspace, its projects and the project itself have no revisions, and no such path.',
    ],
  },
  {
    id: 'compatibility',
    title: 'Compatibility',
    blocks: [
      'The path segment `beta` names this version. Optional fields may be added to it, so ignore fields that you do not know. A breaking change gets a new path segment, and the old one is served for twelve more months with the `Deprecation` and `Sunset` fields.',
    ],
  },
]

function curl(address: string, more?: string): string {
  return [`curl -H "Authorization: Bearer $TOKEN"`, more, address].filter(part => part !== undefined).join(' \\\n  ')
}
