/** A place in a bucket of a server that speaks S3. */
export type BucketAddress = {
  bucket: string
  /** What every key begins with: empty, or with a slash at its end. */
  prefix: string
  /** Absent if a profile may name it. */
  region?: string
  /** The server's address. Absent: that of AWS in the region. */
  endpoint?: string
  /** Whether the bucket stands in the path of a request and not in its host. */
  isPathStyle: boolean
}

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=https://…&path-style=true`; undefined if it is none, or has a part that is
 * not known. What it leaves out is taken from the variables that tools of AWS share.
 */
export function parseBucketAddress(
  text: string,
  environment: Readonly<Partial<Record<string, string>>>,
): BucketAddress | undefined {
  const [, bucket, path = '', query = ''] = ADDRESS.exec(text) ?? []
  const given = new Map(new URLSearchParams(query))
  const isRepeated = new URLSearchParams(query).size > given.size
  if (bucket === undefined || isRepeated || [...given.keys()].some(name => !PARAMETERS.has(name))) return undefined
  const segments = path.split('/').filter(segment => segment !== '')
  const pathStyle = given.get('path-style')
  const endpoint = parseEndpoint(
    given.get('endpoint') ?? environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL,
  )
  const region = given.get('region') ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION
  if (endpoint === false || (pathStyle !== undefined && !/^(true|false)$/.test(pathStyle))) return undefined
  if (segments.some(segment => !SEGMENT.test(segment)) || (region !== undefined && !/^[\w-]+$/.test(region)))
    return undefined
  const isOther = endpoint !== undefined
  return {
    bucket,
    prefix: segments.map(segment => `${segment}/`).join(''),
    ...(region !== undefined ? { region } : isOther && { region: 'us-east-1' }),
    ...(isOther && { endpoint }),
    isPathStyle: pathStyle === undefined ? isOther : pathStyle === 'true',
  }
}

/** No user and password: keys belong where tools of AWS look for them. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?:\?([^#]*))?$/
const PARAMETERS: ReadonlySet<string> = new Set(['region', 'endpoint', 'path-style'])
/** What stands in a key and in an address alike; neither `.` nor `..`. */
const SEGMENT = /^(?!\.{1,2}$)[\w.!*'()-]+$/

/** False if it is no http or https address of a server. */
function parseEndpoint(text: string | undefined): string | undefined | false {
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return false
  return url.href.replace(/\/$/, '')
}
