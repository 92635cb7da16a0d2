/** A wallet in this browser: gives its address, and signs a text with it. */
export type BrowserWallet = {
  name: string
  address(): Promise<string>
  sign(address: string, message: string): Promise<string>
}

type Eip1193 = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }
type Announced = CustomEvent<{ info: { uuid: string; name: string }; provider: Eip1193 }>

/** EIP-6963: each extension announces itself. @param onFound - Called for each. @returns a function that stops listening. */
export function findEvmWallets(onFound: (wallet: BrowserWallet) => void): () => void {
  const seen = new Set<string>()
  const listen = (event: Event) => {
    const { info, provider } = (event as Announced).detail
    if (seen.has(info.uuid)) return
    seen.add(info.uuid)
    onFound({
      name: info.name,
      async address() {
        const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
        return account ?? ''
      },
      sign: async (address, message) =>
        String(await provider.request({ method: 'personal_sign', params: [hexOf(message), address] })),
    })
  }
  window.addEventListener('eip6963:announceProvider', listen)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', listen)
}

type SolanaProvider = {
  connect(): Promise<{ publicKey: { toString(): string } }>
  signMessage(message: Uint8Array, encoding: 'utf8'): Promise<{ signature: Uint8Array }>
}

/** The wallet at `window.solana`, which Phantom, Solflare and Backpack set; null if there is none. */
export function solanaWallet(): BrowserWallet | null {
  const { solana } = window as { solana?: SolanaProvider }
  if (!solana) return null
  return {
    name: 'Solana',
    address: async () => (await solana.connect()).publicKey.toString(),
    sign: async (_, message) => base58((await solana.signMessage(new TextEncoder().encode(message), 'utf8')).signature),
  }
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (alphabet[Number(number % 58n)] ?? '') + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}
