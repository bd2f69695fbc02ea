import { errorCode } from '#platform/base/error.ts'
import { DatabaseOutage, StoreError } from '../../store-error.ts'

/**
 * Turns an error of the client or the server that an operator can fix into one that says what to do; returns any other
 * error unchanged. Messages never contain a password, because neither the client nor the server names it.
 *
 * @param place the name of the database in messages: its hosts
 */
export function explainError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  const explanation = explanationOf(error)
  return explanation ? outageOf(place, explanation, error) : error
}

/** The error of work that has waited too long for a connection in use. */
export function busyOutage(place: string): DatabaseOutage {
  return outageOf(place, ['all connections of this process are busy', 'check for slow queries and load on the server'])
}

function outageOf(place: string, [why, fix, mayPass = false]: Explanation, cause?: Error): DatabaseOutage {
  const code = errorCode(cause) === DISK_FULL ? 'store_full' : 'store_unreadable'
  return new DatabaseOutage({ what: `cannot use the database at ${place}: ${why}`, fix, mayPass, code }, { cause })
}

/** The explanation of an error by its code or its text; a failed system call without one means an unreachable server. */
function explanationOf(error: Error): Explanation | undefined {
  const syscall = 'syscall' in error ? error.syscall : undefined
  if (syscall === 'open') return ['a file that --database names cannot be read', 'correct its path or rights']
  if (REFUSED_PARAMETER.test(error.message)) return ['it refuses a parameter of the connection', IGNORE_PARAMETERS]
  const explanation = BY_CODE.get(errorCode(error)) ?? BY_TEXT.find(([text]) => text.test(error.message))?.[1]
  return explanation ?? (syscall === undefined ? undefined : UNREACHABLE)
}

/** An error for a server that has not answered in this time: either the server or the network hangs. */
export function silenceError(milliseconds: number, cause?: unknown): Error {
  return Object.assign(new Error(`no answer for ${milliseconds} ms`, { cause }), { code: SILENT })
}

/** Whether an error says that the server has not answered in time. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return errorCode(error) === SILENT || CONNECT_TIMEOUT.test(error.message) || isSilence(error.cause)
}

/** Whether the connection is lost, but not by a silent server: a new one may succeed with the same work. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error) || isSilence(error) || REFUSED_PARAMETER.test(error.message)) return false
  return LOST_CODES.test(errorCode(error)) || LOST_TEXT.test(error.message) || isLostConnection(error.cause)
}

/** Whether a server has no connection left. */
export function isServerFull(error: unknown): boolean {
  return error instanceof Error && (errorCode(error) === NO_CONNECTION_LEFT || isServerFull(error.cause))
}

/** PgBouncer reports this unless it is configured to ignore such parameters. */
const REFUSED_PARAMETER = /^unsupported startup parameter/
const DISK_FULL = '53100'
/** The SQLSTATE of a missing schema. */
export const NO_SCHEMA = '3F000'
/** The SQLSTATE of a missing privilege. */
export const NO_PRIVILEGE = '42501'
const UNTRANSLATABLE = '22P05'
const NO_CONNECTION_LEFT = '53300'
const SILENT = 'SILENT_SERVER'
const CONNECT_TIMEOUT = /^timeout expired$/
/** The codes of lost connections: of the system, and SQLSTATEs such as 08006, 57P01 (a shutdown) and 25P03 (idle too long). */
const LOST_CODES = /^(?:ECONNRESET|EPIPE|08\w{3}|57P0[1245]|25P03)$/
const LOST_TEXT = /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/

/** The reason, the fix, and whether the error may pass by itself. */
type Explanation = readonly [why: string, fix: string, mayPass?: boolean]

const SEE_NETWORK = 'check that the server runs and that this machine can reach it over the network'
const UNREACHABLE: Explanation = ['it cannot be reached', `${SEE_NETWORK}, or correct --database`, true]
const SILENCE: Explanation = ['it does not answer', SEE_NETWORK, true]
const LOST_FIX =
  'the server was stopped or restarted, or the network failed: try again, and check the server log if it happens again'
const LOST: Explanation = ['the connection was lost', LOST_FIX, true]
/** The fix for a database that cannot hold every character. */
export const UTF8_FIX = "back up the store, and restore it into a database made with ENCODING 'UTF8' TEMPLATE template0"
const IGNORE_PARAMETERS =
  'if it is PgBouncer, write ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout into its configuration'
const PASSWORD =
  'give the current one in --database, in the file that HOUSESTYLE_DATABASE_FILE names or in PGPASSWORD, and restart services'

/** Explanations by SQLSTATEs (PostgreSQL 17, appendix A) and by system error codes. */
const EXPLANATIONS: readonly (readonly [codes: string, ...Explanation])[] = [
  [`${SILENT} ETIMEDOUT EHOSTUNREACH ENETUNREACH`, ...SILENCE],
  ['ECONNRESET EPIPE 08000 08003 08006 25P03 57P05', ...LOST],
  ['08P01', 'it, or a pooler in front of it, ended the connection', 'see the reason, and the log of the server', true],
  ['ECONNREFUSED', 'no server is listening there', 'start the server, or correct --database', true],
  ['ENOENT', 'there is no server socket', 'start the server, or correct --database', true],
  ['ENOTFOUND', 'its host name is unknown', 'check DNS, or correct --database', true],
  ['EAI_AGAIN', 'its host name cannot be resolved now', 'check DNS', true],
  ['57P01', 'it was shut down, or ended the connection', LOST_FIX, true],
  ['57P02', 'it has crashed', 'check the server log; the server recovers by itself if possible', true],
  ['57P03', 'it is starting or recovering', 'wait until it is up', true],
  ['57P04', 'the database was dropped', 'restore a backup into a new one'],
  [
    NO_CONNECTION_LEFT,
    'all its connections are in use',
    'close unused connections, raise max_connections, or use a pooler with pool_mode = session',
    true,
  ],
  [DISK_FULL, 'its disk is full', 'free some space there; the operation was undone', true],
  ['53200', 'it is out of memory', 'add memory to the server, or lower its memory per connection', true],
  ['53400', 'a limit of its configuration is reached', 'check the server log, and raise that limit', true],
  ['58030', 'its disk is failing', 'check the disk and the server log', true],
  ['58P01 XX001 XX002', 'its data is damaged', 'check the server log, and restore a backup if necessary'],
  ['28P01', 'it refuses the password of this user', PASSWORD],
  [
    '28000',
    'it does not let this user in',
    'name a user that may log in, check pg_hba.conf on the server, or request TLS with sslmode if the server requires it',
  ],
  ['3D000', 'it has no database of this name', 'create it, for example with createdb, or correct --database'],
  [NO_SCHEMA, 'the schema is missing', 'create it, or correct search_path'],
  [UNTRANSLATABLE, 'its encoding lacks a character of the content', UTF8_FIX],
  [
    NO_PRIVILEGE,
    'this user lacks a privilege',
    'make the user the owner of the database, or grant it USAGE and CREATE on the schema',
  ],
  [
    '25006',
    'it is read-only now',
    'name the primary, or all hosts as in postgres://a,b/x?target_session_attrs=read-write; if it is the primary, end its read-only mode',
    true,
  ],
  ['57014', 'a statement took too long', 'check locks and load on the server', true],
  ['40001 40P01', 'another transaction conflicted with it', 'try again', true],
  ['CERT_HAS_EXPIRED', 'its certificate has expired', 'renew it'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet', 'set the clock of this machine'],
  ['EPROTO', 'no TLS connection could be made', 'check the TLS versions of the server, or change sslmode'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'its certificate is not trusted',
    'name its certificate authority with sslrootcert, use the host name in the certificate, or change sslmode',
  ],
]

const BY_CODE: ReadonlyMap<string, Explanation> = new Map(
  EXPLANATIONS.flatMap(([codes, ...explanation]) => codes.split(' ').map(code => [code, explanation])),
)

/** Explanations by message, for errors of the client, which have no code. */
const BY_TEXT: readonly (readonly [RegExp, Explanation])[] = [
  [CONNECT_TIMEOUT, SILENCE],
  [LOST_TEXT, LOST],
  [
    /^SECURITY WARNING: Using sslmode=verify-ca requires/,
    ['sslmode=verify-ca needs an authority', 'name its certificate with sslrootcert, or use sslmode=verify-full'],
  ],
  [
    /does not support SSL|establishing an SSL connection/,
    ['it does not support TLS', 'enable ssl on the server, or change sslmode'],
  ],
  [/^SASL: .*password must be/, ['it requires a password, but none is given', PASSWORD]],
]
