/** The advice for an error of a limit server, by its first word; undefined if only the server knows more. */
export function limitAdvice(error: unknown): string | undefined {
  const [code = ''] = /^[A-Z]+(?= |$)/.exec(error instanceof Error ? error.message : '') ?? []
  return ADVICE.find(([codes]) => codes.split(' ').includes(code))?.[1]
}

const CLUSTER = 'clusters are not supported: name a server or sentinels with --limits'

/** By the codes of Redis and Valkey (https://valkey.io/topics/cluster-spec/, https://valkey.io/topics/acl/). */
const ADVICE: readonly (readonly [codes: string, advice: string])[] = [
  ['MOVED ASK CLUSTERDOWN CROSSSLOT TRYAGAIN', CLUSTER],
  ['NOAUTH WRONGPASS', 'give the right user and password in --limits'],
  ['NOPERM', 'allow its user the keys and commands in docs/several-nodes.md'],
  ['READONLY', 'name the primary, or sentinels, with --limits'],
  ['OOM', 'give the server more memory'],
]

/** The problem of a server whose `INFO` shows that it evicts keys; undefined if it does not. */
export function evictionProblem(info: string): { message: string; fix: string } | undefined {
  const [, policy] = /^maxmemory_policy:(\S+)/m.exec(info) ?? []
  if (policy === undefined || policy === 'noeviction') return undefined
  return {
    message: `has the eviction policy ${policy}, so it may forget counts`,
    fix: 'set maxmemory-policy to noeviction',
  }
}
