import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { after } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listeningPort } from './free-port.ts'
import { needs, pathOf } from './programs.ts'
import { temporaryFolder } from './temporary.ts'

/** What tests with a certificate need. */
export const OPENSSL = needs('openssl')

/** A certificate that signs itself, for a day; tests that use one need `openssl`. */
export type Certificate = { key: string; cert: string; path: string }

/** Makes a certificate for names such as `IP:127.0.0.1` and `DNS:client.test`. */
export async function makeCertificate(...names: readonly string[]): Promise<Certificate> {
  const folder = await temporaryFolder()
  const [keyPath, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=server.test', '-addext', `subjectAltName=${names.join(',')}`]
  execFileSync(pathOf('openssl') ?? '', ['req', ...kind, ...subject, '-keyout', keyPath, '-out', path], {
    stdio: 'ignore',
  })
  return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(path, 'utf8'), path }
}

/** Makes this process trust a certificate until the tests of a file are done. */
export function trustCertificate({ cert }: Certificate): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  after(() => setDefaultCACertificates(before))
}

/** Starts an https server on a free port until the tests of a file are done; returns its port. */
export async function secureServer(
  { key, cert }: Certificate,
  listener: RequestListener,
  place: { host?: string; port?: number } = {},
): Promise<number> {
  const server = createServer({ key, cert }, listener)
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return listeningPort(server, place)
}
