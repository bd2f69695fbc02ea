/** The address of a prefix in a bucket on an S3 server. */
export type BucketAddress = {
  bucket: string
  /** The start of every key: empty, or ending in a slash. */
  prefix: string
  /** Absent if an AWS profile may set it. */
  region?: string
  /** The server's address; absent for AWS in the region. */
  endpoint?: string
  /** Whether requests have the bucket in the path instead of the host. */
  isPathStyle: boolean
}

/**
 * Reads `s3://bucket/prefix?region=…&endpoint=https://…&path-style=true`; undefined if it is invalid or
 * has an unknown parameter. Missing parts come from the standard AWS environment variables.
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

/** No user and password: keys belong where AWS tools look for them. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(?:\?([^#]*))?$/
const PARAMETERS: ReadonlySet<string> = new Set(['region', 'endpoint', 'path-style'])
/** Characters that are equal in keys and in URLs; neither `.` nor `..`. */
const SEGMENT = /^(?!\.{1,2}$)[\w.!*'()-]+$/

/** False if it is not an http or https address of a server. */
function parseEndpoint(text: string | undefined): string | undefined | false {
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return false
  return url.href.replace(/\/$/, '')
}
