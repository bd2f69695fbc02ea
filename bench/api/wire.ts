import { writeFile } from 'node:fs/promises'

/** What clients send beside the line of a request, its `Host` and its token. */
export const CLIENTS = [
  { 'User-Agent': 'curl/8.14.1', Accept: '*/*' },
  {
    accept: 'application/json',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'node',
    'accept-encoding': 'gzip, deflate',
  },
  {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Language': 'en-GB,en;q=0.7,de;q=0.3',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Origin: 'https://brand.test',
    Referer: 'https://brand.test/somewhere',
    'Sec-Fetch-Dest': 'empty',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
  },
] as const

/** A GET request of HTTP/1.1 for an address as it is sent; a `Host` among the header fields takes the place of its own. */
export function wire(address: string, headers: Readonly<Record<string, string>> = {}): string {
  const { host, pathname } = new URL(address)
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n`
}

/** Writes requests where the senders read them. */
export async function writeRequests(file: string, requests: readonly string[]): Promise<string> {
  await writeFile(file, requests.join('\0'))
  return file
}
