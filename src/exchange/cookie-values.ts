/**
 * Returns the first values of a cookie. Another site of the domain may set a cookie with the same name (RFC 6265
 * §4.2.1); browsers send the one for the longest path first (§5.4). Because each value costs a signature, only a few
 * are read, and none from an overlong field.
 */
export function cookieValues(cookies: string, name: string): string[] {
  if (cookies.length > MAX_FIELD_LENGTH) return []
  const pairs = cookies.split(';', MAX_COOKIES).map(pair => pair.trim())
  const values = pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1))
  return values.slice(0, MAX_VALUES)
}

const MAX_FIELD_LENGTH = 8192
const MAX_COOKIES = 100
const MAX_VALUES = 4
