import { expect } from 'vitest'
import { runBeside } from './bff.ts'
import type { NetworkName } from './chain.ts'
import type { Story } from './story.ts'

/** Blocks after which everything sent is final. */
const finalBlocks = 3

/** What `checkout reconcile --json` prints. Amounts are base units as decimal text. */
export type Books = {
  isClean: boolean
  networks: {
    network: string
    block: number
    payments: number
    statement: (Record<string, string> & { holding: Record<string, string> | null })[]
    differences: { code: string; paymentId: string; txId: string | null; message: string }[]
    notes: { code: string; paymentId: string; txId: string | null }[]
  }[]
  unread: { network: string; reason: string }[]
}

/** Runs the command beside the service. @param env - Default: the story's. */
export async function readBooks(
  { files }: Pick<Story, 'files'>,
  args: readonly string[] = [],
  env = {},
  program = files.program,
) {
  const own = { ...files.env, ...env }
  const { exitCode, stdout, stderr } = await runBeside(['reconcile', ...args, '--json'], own, program)
  return { exitCode, stderr, books: stdout === '' ? undefined : (JSON.parse(stdout) as Books) }
}

/** Whatever happened in the story: the books and the chains agree on every unit. */
export async function expectBooksToClose(story: Story): Promise<Books> {
  const used = await story.bff.query<{ network: NetworkName; isWatched: number }>(
    `select network, max(is_open) as "isWatched"
       from (select network, case when status = 'pending' then 1 else 0 end as is_open from payments
             union all select network, 0 from unmatched_transfers) as of_networks
      group by network`,
  )
  for (const { network, isWatched } of used.filter((one) => one.network.startsWith('devnet'))) {
    // With nothing to watch, the service reads a chain's head only four times a minute.
    if (Number(isWatched) === 0) await story.bff.createDeposit({ amount: '1.00', network })
    await story.chain.mine(finalBlocks, network)
    await story.caughtUp(network)
  }
  await story.onSolana?.chain.finalize()
  const { exitCode, stderr, books } = await readBooks(story)
  const differences = books?.networks.flatMap((network) => network.differences)
  expect({ differences, unread: books?.unread, stderr, exitCode }).toEqual({
    differences: [],
    unread: [],
    stderr: '',
    exitCode: 0,
  })
  return books as Books
}
