// Settings that would be accepted though they lose money.

/** @type {import('./faults.mjs').Fault[]} */
export const configured = [
  {
    name: 'A testnet under another name counts as real money',
    file: 'bff/src/ops/config/network-faults.ts',
    from: 'network.isTestnet ? undefined : testnetOf(network)',
    to: 'network.isTestnet ? undefined : testnetOf({ chainId: 0 })',
    test: 'bff/src/network/known/known-networks.test.ts',
    fails: 'may not be a testnet whose free tokens would count as real money',
  },
  {
    name: "Solana's devnet counts as Solana",
    file: 'bff/src/network/known/known-networks.ts',
    from: 'known.genesisHash === genesisHash && (genesisHash !== undefined || known.chainId === chainId)',
    to: 'known.chainId === chainId',
    test: 'bff/src/network/known/known-networks.test.ts',
    fails: 'may not be a testnet whose free tokens would count as real money',
  },
  {
    name: 'One token stands for two currencies',
    file: 'bff/src/ops/config/network-faults.ts',
    from: '.isSameAddress(address, token.address))\n      if (twin)',
    to: '.isSameAddress(address, token.address))\n      if (twin && twin.currency === token.currency)',
    test: 'bff/src/network/known/known-networks.test.ts',
    fails: 'may not hold one token under two symbols',
  },
  {
    name: "The platform's share goes to a mistyped address",
    file: 'bff/src/ops/config/network-schema.ts',
    from: 'chainFamilies.evm.parseAddress(text) !== undefined',
    to: 'chainFamilies.evm.hasAddressForm(text)',
    test: 'bff/src/network/known/known-networks.test.ts',
    fails: 'pays the platform at no mistyped address',
  },
  {
    name: 'What a bridge cannot return goes to a mistyped address',
    file: 'bff/src/checkout/cross-chain/relay-settings.ts',
    from: 'chainFamilies.evm.parseAddress(text) !== undefined',
    to: 'chainFamilies.evm.hasAddressForm(text)',
    test: 'bff/src/checkout/cross-chain/sources.test.ts',
    fails: 'the setting asks nobody by plain http, and says what it lacks',
  },
  {
    name: 'Rates are taken over plain http',
    file: 'bff/src/rates/rate-settings.ts',
    from: '.refine(isSafeUrl,',
    to: '.refine(() => true,',
    test: 'bff/src/rates/rates.test.ts',
    fails: 'rates are asked over https, except on this machine: http://rates.example/v1',
  },
]
