import { type Address, concat, type Hex } from 'viem'
import { checksummed, keccak256 } from '../keccak.ts'

/*
 * Virtual addresses of Tempo (TIP-1022): 4 bytes that identify a registered wallet, 10 marker bytes, and 6 freely chosen bytes.
 * The chain credits a transfer to such an address to the wallet, within the customer's own transaction.
 */

const marker = 'fd'.repeat(10)
const virtualPattern = /^0x([0-9a-f]{8})(?:fd){10}([0-9a-f]{12})$/
const tokenPattern = /^0x20c0{20}/
const zeroAddress = `0x${'0'.repeat(40)}`

/** The registry accepts a salt whose hash starts with this many zero bytes: 2^32 attempts on average. */
const zeroBytes = 4

/** Whether the text is a wallet's id, as the registry assigns it. */
export const isMasterId = (text: string): boolean => /^0x[0-9a-f]{8}$/.test(text)

export type VirtualParts = { masterId: Hex; tag: Hex }

/** @throws {RangeError} for a master id that is not 4 bytes, or a tag that is not 6. */
export function virtualAddress({ masterId, tag }: VirtualParts): Address {
  verifyBytes('masterId', masterId, 4)
  verifyBytes('tag', tag, 6)
  return checksummed(`0x${masterId.slice(2)}${marker}${tag.slice(2)}`.toLowerCase() as Hex)
}

/** Undefined for any other address. */
export function parseVirtualAddress(address: string): VirtualParts | undefined {
  const [, masterId, tag] = virtualPattern.exec(address.toLowerCase()) ?? []
  return masterId === undefined ? undefined : { masterId: `0x${masterId}`, tag: `0x${tag}` }
}

/** The registry refuses the zero address, virtual addresses and tokens as masters. */
export const mayBeMaster = (wallet: string): boolean =>
  wallet !== zeroAddress && parseVirtualAddress(wallet) === undefined && !tokenPattern.test(wallet.toLowerCase())

/** The registry's hash of a wallet and its 32-byte salt. */
export const registrationHash = (wallet: Hex, salt: Hex): Hex => keccak256(concat([wallet, salt]))

/**
 * The id that the registry assigns to the wallet for this salt.
 * @throws {RangeError} for a salt that the registry refuses.
 */
export function masterIdOf(wallet: Hex, salt: Hex): Hex {
  verifyBytes('salt', salt, 32)
  const hash = registrationHash(wallet, salt).slice(2)
  if (!hash.startsWith('00'.repeat(zeroBytes))) {
    throw new RangeError(
      `salt ${salt} does not register ${wallet}: its hash does not start with ${zeroBytes} zero bytes.`,
    )
  }
  return `0x${hash.slice(8, 16)}`
}

function verifyBytes(name: string, value: Hex, bytes: number): void {
  if (!/^0x[0-9a-fA-F]*$/.test(value) || value.length !== 2 + 2 * bytes) {
    throw new RangeError(`${name} ${value} is not ${bytes} bytes of hex.`)
  }
}
