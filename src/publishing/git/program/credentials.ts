import { groupsOf } from '#platform/base/text.ts'

/** The credentials of the operator for repositories: a token for https, a private key for ssh; for following, or for pushing. */
export type GitCredentials = { token?: string; sshKey?: string; isForPush?: true }

/** The variables that give these credentials, and what these must permit. */
export function namesOf({ isForPush }: GitCredentials): { token: string; sshKey: string; may: string } {
  return isForPush
    ? { token: 'HOUSESTYLE_GIT_PUSH_TOKEN', sshKey: 'HOUSESTYLE_GIT_PUSH_SSH_KEY', may: 'push to it' }
    : { token: 'HOUSESTYLE_GIT_TOKEN', sshKey: 'HOUSESTYLE_GIT_SSH_KEY', may: 'read it' }
}

/** The texts that messages of git must not show: the token, also without its user name, and as HTTP sends both. */
export function secretsOf({ token }: GitCredentials): string[] {
  if (token === undefined) return []
  const forms = [token, token.replace(/^[^:]*:/, ''), basicCredentials(token)]
  return forms.filter(form => form !== '')
}

/** A token with its user name, as in RFC 7617 §2. Most hosts ignore the name. */
export function basicCredentials(token: string): string {
  return Buffer.from(token.includes(':') ? token : `x-access-token:${token}`).toString('base64')
}

/** Whether a private key can only be used with a passphrase: in the form of OpenSSH, or in one of PEM (RFC 7468). */
export function hasPassphrase(key: string): boolean {
  if (/ENCRYPTED/.test(key)) return true
  const [, body = ''] = groupsOf(/-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)-----END/, key)
  const bytes = Buffer.from(body, 'base64')
  const start = OPENSSH.length + 4
  const cipher = bytes.subarray(start, start + 4).toString()
  return bytes.subarray(0, OPENSSH.length).toString() === OPENSSH && cipher !== 'none'
}

/** A key begins with this and the name of its cipher, after four bytes with the length of the name. */
const OPENSSH = 'openssh-key-v1\0'
