import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testUsdc } from '../../../../../demo/devnet/tokens.generated.ts'
import { type ContractStage, confirmations, openContractStage, shares } from '../../../../test/contract-stage.ts'
import { sql } from '../../../db/db.ts'
import { countParkedShares } from '../../../payout/parked-share-store.ts'

const never = new AbortController().signal
let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

test.each([
  ['', true],
  [', although its token has left the configuration', false],
])(
  'a share that a splitter keeps for the platform is found, and paid when its wallet can be paid again%s',
  async (_, isConfigured) => {
    const { tokens } = stage.network
    const newSweeper = () => stage.signatures.newSweeper(isConfigured ? {} : { tokens: tokens.slice(1) })
    const { platform } = stage.wallets
    const token = (stage.network.tokens[0]?.address ?? '') as Hex
    const asTokenOwner = (functionName: 'blacklist' | 'unBlacklist') =>
      stage.send(
        { to: token, data: encodeFunctionData({ abi: testUsdc.abi, functionName, args: [platform] }) },
        stage.tokenOwner,
      )
    const held = () =>
      stage.chain.readContract({ address: token, abi: testUsdc.abi, functionName: 'balanceOf', args: [platform] })
    const before = await held()
    await asTokenOwner('blacklist')
    expect((await stage.pay(await stage.create())).status).toBe('success')
    await stage.chain.mine({ blocks: confirmations })
    await newSweeper().pass(never)
    expect(await stage.db.read(countParkedShares)).toMatchObject([
      { network: 'devnet', count: 1, failing: 1, reason: 'Blacklistable: account is blacklisted' },
    ])

    await asTokenOwner('unBlacklist')
    await stage.db.write((tx) => tx.run(sql`update parked_shares set due_at_ms = 0`))
    const sweeper = newSweeper()
    await expect
      .poll(async () => {
        await sweeper.pass(never)
        await stage.chain.mine({ blocks: 1 })
        return await stage.db.read(countParkedShares)
      })
      .toEqual([])
    expect((await held()) - before).toBe(shares.platform)
  },
)
