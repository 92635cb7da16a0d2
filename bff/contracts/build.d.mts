import type { Abi, Hex } from 'viem'

export function compile(
  paths: readonly string[],
  evmVersion?: 'shanghai' | 'cancun',
): (path: string) => { abi: Abi; bytecode: Hex }
