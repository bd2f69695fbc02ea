import { type Reply, withHeaders } from '../../exchange/message.ts'
import type { Assets } from '../assets.ts'
import { html } from '../html.ts'
import { standalonePage } from './standalone-page.ts'

/** The page for a program that cannot be connected, with the reason, which the makers of the program can look up. */
export function refusedPage(assets: Assets, status: number, reason: string): Reply {
  const text = html`<h1>This program cannot be connected</h1>
<p>Return to the program and try again. If it fails again, send this message to the makers of the program:</p>
<p><code>${reason}</code></p>`
  const page = standalonePage(assets, status, { title: 'Not connected', text })
  return withHeaders(page, ['X-Frame-Options', 'DENY', 'X-Robots-Tag', 'noindex'])
}
