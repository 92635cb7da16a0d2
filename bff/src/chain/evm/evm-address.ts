import { getAddress, isAddress } from 'viem'

/** The address in its checksummed form, undefined when the text is not an address (a wrong checksum included). */
export function checksumAddress(text: string): string | undefined {
  return isAddress(text) ? getAddress(text) : undefined
}
