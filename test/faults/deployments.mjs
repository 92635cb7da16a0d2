// Where contracts are deployed and verified, and wallets are registered for virtual addresses.

const folder = 'bff/src/chain/evm/setup'
const splitter = { file: `${folder}/verify-splitter.ts`, test: `${folder}/verify-splitter.test.ts` }
const master = { file: `${folder}/register-master.ts`, test: `${folder}/register-master.test.ts` }
const contracts = { file: `${folder}/deploy-contracts.ts`, test: `${folder}/deploy-contracts.test.ts` }

/** @type {import('./faults.mjs').Fault[]} */
export const deployments = [
  {
    ...splitter,
    name: 'The domain by which a token is authorized is not verified',
    from: '      if (isDomain(token.authorization)) await verifyDomain(reader, network, token, token.authorization)\n',
    to: '',
    fails: 'the domain by which a token is authorized is verified',
  },
  {
    ...splitter,
    name: 'Contract payments are offered on a network that takes deposits only',
    from: "if (network.deposits !== 'forwarder')",
    to: 'if (false)',
    fails: 'a network that takes deposits only has no contract payments',
  },
  {
    ...splitter,
    name: 'Contract payments are offered on the chain of another network',
    from: '    await verifyChainId(network, pool)\n',
    to: '',
    fails: 'a network that takes deposits only has no contract payments',
  },
  {
    ...splitter,
    name: 'Any contract that names a domain counts as Permit2',
    from: 'if (domainSeparator({ domain: permit2Domain(network.chainId) }) !== onChain) throw',
    to: 'if (!onChain) throw',
    fails: 'a token authorized by Permit2 is good only if Permit2 exists',
  },
  {
    ...master,
    name: 'A wallet counts as registered when another one has its id',
    from: 'if (master?.toLowerCase() === wallet.toLowerCase()) return',
    to: 'if (master !== null) return',
    fails: 'a wallet whose id another one has searches on behind that salt',
  },
  {
    ...master,
    name: 'A wallet whose id another one has finds the same salt again, for ever',
    from: 'next: BigInt(salt) + 1n, salt: null }',
    to: 'next: BigInt(salt), salt: null }',
    fails: 'a wallet whose id another one has searches on behind that salt',
  },
  {
    ...master,
    name: 'A salt that was found is searched for again',
    from: 'note.salt ?? (await searchSalt(registering, note)).salt',
    to: '(await searchSalt(registering, note)).salt',
    fails: 'a wallet whose salt is known is not searched for again',
  },
  {
    ...master,
    name: 'A registration that was reverted is reported as one that the chain does not show yet',
    from: "if (receipt.status !== 'success')",
    to: 'if (!receipt.status)',
    fails: 'a registration is reported neither where its transaction was reverted',
  },
  {
    ...master,
    name: 'A registration is reported that the chain does not show',
    from: 'if (registered?.toLowerCase() === wallet.toLowerCase()) return',
    to: 'if (registered !== undefined) return',
    fails: 'a registration is reported neither where its transaction was reverted',
  },
  {
    ...master,
    name: 'Salts are searched for a wallet that the registry refuses',
    from: 'if (!mayBeMaster(wallet)) throw',
    to: 'if (false) throw',
    fails: 'a virtual address or a token of the chain cannot be a wallet with virtual addresses',
  },
  {
    ...contracts,
    name: 'A deployment is begun that its payer cannot end',
    from: 'if (balance < cost.total) {',
    to: 'if (balance < cost.gas) {',
    fails: 'an account that holds one wei less than the most that the deployment may cost sends nothing',
  },
  {
    ...contracts,
    name: 'A deployment reports its greatest cost as paid',
    from: 'const amount = balance - (await reader.getBalance({ address: payer.address }))',
    to: 'const amount = cost.total',
    fails: 'an account that holds one wei less than the most that the deployment may cost sends nothing',
  },
  {
    ...contracts,
    name: 'A deployment costs nothing where there is no base fee',
    from: 'return await reader.getGasPrice()',
    to: 'return 0n',
    fails: 'the cost is reckoned at the highest price that a block may ask',
  },
  {
    ...contracts,
    name: 'A deployment is reckoned at the tip alone',
    from: '(await reader.estimateFeesPerGas()).maxFeePerGas',
    to: '(await reader.estimateFeesPerGas()).maxPriorityFeePerGas',
    fails: 'the cost is reckoned at the highest price that a block may ask',
  },
  {
    ...contracts,
    name: 'The dashboard does not say that the node is on another chain',
    from: 'if (error instanceof LyingNodeError) throw',
    to: 'if (false) throw',
    fails: 'to a node of another chain nothing is sent, and the error says so',
  },
]
