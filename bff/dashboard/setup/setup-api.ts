import { t } from '../locales/locale.ts'
import { accountFaults } from '../ui/account-faults.ts'
import { sOrNull } from './setup-locale.ts'

type Family = 'evm' | 'solana'

export type NodeCheck = {
  url: string
  isUsable: boolean
  notes: readonly { code: string; state: 'good' | 'warning' | 'bad'; says: string }[]
}

export type OfferedNetwork = {
  network: string
  name: string
  family: Family
  isTestnet: boolean
  logo: string
  symbols: readonly string[]
  hasContracts: boolean
  canRelay: boolean
  /** Whether customers may pay to addresses of the merchant's own wallet. */
  canChooseDeposits: boolean
  publicNodes: readonly string[]
}

/** The kind of deposit address: the service's, or one of the merchant's own wallet. */
export type Deposits = 'forwarder' | 'xpub'

type ChosenNetwork = {
  network: string
  rpcUrls: readonly string[]
  deposits: Deposits
  checks: readonly (NodeCheck | null)[]
}

type WalletAnswer = { family: Family; address: string; proof: 'signature' | 'retyped' }

export type Created = {
  files: { configuration: string; database: string; key: string | null; secrets: string }
  operator: string | null
  feePayer: string | null
  networks: readonly string[]
  contractNetworks: readonly string[]
  merchant: {
    merchantId: string
    publicKey: string
    testPublicKey: string
    apiKey: string
    apiSecret: string
    webhookSecret: string
  }
}

/** The set-up's state at the service. */
export type SetupState = {
  origin: string
  isLocal: boolean
  folder: string
  offered: readonly OfferedNetwork[]
  /** Names of networks that are set up later. */
  later: readonly string[]
  answers: {
    owner: { name: string } | null
    shop: { name: string; language: string; currency: string; color: string | null; logo: string | null } | null
    networks: readonly ChosenNetwork[]
    wallets: readonly WalletAnswer[]
    /** The account of the merchant's own wallet, shown by its first address. */
    account: { address: string } | null
    options: { relay: boolean; stores: boolean; rates: string | null }
  }
  created: Created | null
  isStarted: boolean
}

/** The chosen networks with this kind of deposit address. */
export const offeredWith = (deposits: Deposits, { offered, answers }: SetupState): OfferedNetwork[] =>
  answers.networks
    .filter((one) => one.deposits === deposits)
    .flatMap(({ network }) => offered.find((one) => one.network === network) ?? [])

/** A refused request. `field`: the wrong answer; null: none. `values`: inserted into its sentence. */
export class SetupFault extends Error {
  readonly code: string
  readonly field: string | null
  readonly values: readonly string[]

  constructor(code: string, field: string | null, message: string, values: readonly string[] = []) {
    super(message)
    this.code = code
    this.field = field
    this.values = values
  }
}

/** Longer than the check of a node that does not respond. */
const answerTimeoutMs = 90_000

type Method = 'GET' | 'POST' | 'PUT'

/** Reads the payment's public view. Sends no session cookie, because a page that is open for a day outlives the session. */
export async function readPayment<Body>(id: string): Promise<Body> {
  return await send<Body>(`/api/v1/payments/public/${id}?include=qr`, 'GET', {}, undefined, 'omit')
}

/** A request with the merchant's public key, as the shop's page sends it. @throws {SetupFault} */
export async function askAsShop<Body>(publicKey: string, path: string, body?: object): Promise<Body> {
  return await send<Body>(`/api/v1/${path}`, body ? 'POST' : 'GET', { 'x-public-key': publicKey }, body, 'omit')
}

/** @param path - Below `/setup/api/`. @throws {SetupFault} */
export async function ask<Body>(method: Method, path: string, body?: object): Promise<Body> {
  return await send<Body>(`/setup/api/${path}`, method, {}, body)
}

/** A request to the service that was set up, as its dashboard sends it. @param path - Below `/api/v1/`. @throws {SetupFault} */
export async function askService<Body>(method: Method, path: string, isTest: boolean, body?: object): Promise<Body> {
  return await send<Body>(`/api/v1/${path}`, method, isTest ? { 'x-mode': 'test' } : {}, body)
}

/** @param credentials - `omit`: without the session. */
async function send<Body>(
  url: string,
  method: Method,
  more: Record<string, string>,
  body?: object,
  credentials: RequestCredentials = 'same-origin',
): Promise<Body> {
  const response = await fetch(url, {
    method,
    credentials,
    headers: { accept: 'application/json', ...more, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  }).catch((error: unknown) => {
    throw new SetupFault('UNREACHABLE', null, String(error))
  })
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null
  if (response.ok && answer) return answer as Body
  const field = typeof answer?.['field'] === 'string' ? answer['field'] : null
  const values = Array.isArray(answer?.['values']) ? answer['values'].map(String) : []
  throw new SetupFault(String(answer?.['code'] ?? 'UNREACHABLE'), field, String(answer?.['message'] ?? ''), values)
}

/** The sentence of a refusal in the reader's language, or the service's sentence for an unknown code. */
export function faultSentence(fault: unknown): string {
  if (!(fault instanceof SetupFault)) return sOrNull('fault.CANCELLED') ?? String(fault)
  const account = accountFaults[fault.code]
  if (account) return t(account.text)
  return sOrNull(`fault.${fault.code}`, ...fault.values) ?? (fault.message || (sOrNull('fault.UNREACHABLE') ?? ''))
}
