import type { RpcRequestError } from 'viem'

/**
 * Whether the node refused a simulated call because the call reverts; any other refusal, such as a rate limit, says nothing about the
 * call. Nodes share no error code for it, only similar messages; viem takes every internal error of a node for a revert.
 */
export const isRevert = ({ code, details }: RpcRequestError): boolean =>
  code === 3 || /revert|out of gas|exceeds allowance|invalid opcode/i.test(details)
