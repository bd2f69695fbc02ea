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

/** A GET request: the path of an address, and header fields; a `Host` among them takes the place of the server's own. */
export type Request = { path: string; headers: Readonly<Record<string, string>> }

/** Writes requests to a server where the senders read them, as they stand on the wire (HTTP/1.1). */
export async function writeRequests(file: string, server: string, requests: readonly Request[]): Promise<string> {
  await writeFile(file, requests.map(request => wire(server, request)).join('\0'))
  return file
}

function wire(server: string, { path, headers }: Request): string {
  const fields = Object.entries({ Host: new URL(server).host, ...headers }).map(field => `${field.join(': ')}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`
}
