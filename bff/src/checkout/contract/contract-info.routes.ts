import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorBodyOf } from '../../access/http/error-body.ts'
import { errorBody, errorResponses, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { familyOf } from '../../chain/index.ts'
import type { ErrorCode } from '../../core/error-codes.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Networks } from '../../core/families.ts'
import type { NetworkHealth } from '../../network/network-health.ts'

const chainIdParam = z.object({
  chainId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'chainId must be a whole number')
    .openapi({ param: { name: 'chainId', in: 'path' }, example: '8453' }),
})

const contractResponse = z.object({
  success: z.literal(true),
  contractInfo: z.object({ address: z.string(), abi: z.array(z.looseObject({})), chainId: z.int() }),
})

const route = defineOperation({
  method: 'get',
  path: '/payments/contract/{chainId}',
  access: 'open',
  operationId: 'readContract',
  tags: ['contract payments'],
  summary: 'Contract address and ABI of a chain',
  request: { params: chainIdParam },
  responses: {
    200: jsonContent(
      'the contract; where there is none, `success` is false, and `message` says why',
      z.union([contractResponse, errorBody]),
    ),
    ...errorResponses,
  },
})

/** The route needs no key, because checkout pages call it. Clients read `success`, not the status code. */
export function contractInfoRoute(
  api: Operations,
  { networks, splitters }: { networks: Networks; splitters: NetworkHealth },
) {
  api.serve(route, (c) => {
    const { chainId } = c.req.valid('param')
    const network = [...networks.values()].find((one) => String(one.chainId) === chainId)
    const refuse = (code: ErrorCode, message: string) =>
      c.json(errorBodyOf(new PaymentError(code, message, { error: 'Contract not available' })), 200)
    const contract = network && familyOf(network).walletContract(network)
    if (!network || !contract) return refuse('NETWORK_NOT_SUPPORTED', `Chain ${chainId} is not configured.`)
    const { isPayable, reason } = splitters.get(network.shortName)
    if (!isPayable) {
      const message = `Contract payments are not available on ${network.name} now; create a deposit instead. ${reason}`
      return refuse('CONTRACT_PAYMENTS_UNAVAILABLE', message)
    }
    // JSON types allow no readonly fields.
    const abi = contract.abi as { [name: string]: never }[]
    const contractInfo = { address: contract.address, abi, chainId: network.chainId }
    return c.json({ success: true as const, contractInfo }, 200)
  })
}
