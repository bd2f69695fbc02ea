import { parse } from 'smol-toml'

/**
 * The value of a TOML document.
 *
 * @throws if it is damaged; the first line of the message says why
 */
export function tomlValue(text: string): unknown {
  return parse(text)
}
