import type { Client } from 'oidc-provider'

/** A program as the consent page names it. */
export type NamedClient = {
  name: string
  /** The host of its metadata, which its owner controls; absent for a program that the operator registered. */
  host?: string
}

/** The name of a program. That of one whose metadata outsiders write is without control and direction characters. */
export function nameClient({ clientId, clientName = '' }: Client): NamedClient {
  const name = [...clientName.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, MAX_CHARACTERS).join('')
  if (!clientId.startsWith('https://')) return { name: name === '' ? clientId : name }
  const { host } = new URL(clientId)
  return { name: name === '' ? host : name, host }
}

const MAX_CHARACTERS = 60
