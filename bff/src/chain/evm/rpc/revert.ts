import type { RpcRequestError } from 'viem'

/** Geth's code of an execution error, and Nethermind's, whose message does not say more. */
const executionCodes: ReadonlySet<number> = new Set([3, -32_015])

/**
 * Whether the node refused a simulated call because the call reverts; any other refusal, such as a rate limit, says nothing about the
 * call. Other nodes share no error code for it, only similar messages; viem takes every internal error of a node for a revert.
 */
export const isRevert = ({ code, details }: RpcRequestError): boolean =>
  executionCodes.has(code) || /revert|out of gas|exceeds allowance|invalid opcode/i.test(details)
