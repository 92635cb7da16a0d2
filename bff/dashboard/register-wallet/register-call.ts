/** Tempo's registry of virtual addresses (TIP-1022), the same on each of its networks. */
const registryAddress = '0xfdc0000000000000000000000000000000000000'

/** `registerVirtualMaster(bytes32)` */
const registerSelector = '0x5c559d20'

/**
 * The call by which a wallet registers itself, encoded by the page: the wallet signs nothing made by the service.
 * @throws {RangeError} for a salt that is not 32 bytes.
 */
export function registerCall(salt: string): { to: string; data: string } {
  if (!/^0x[0-9a-f]{64}$/i.test(salt)) throw new RangeError('The salt is not 32 bytes.')
  return { to: registryAddress, data: registerSelector + salt.slice(2).toLowerCase() }
}
