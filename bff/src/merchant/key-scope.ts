/** What an API key may call: all of its merchant's operations, or those of an agent's tools. */
export const keyScopes = ['merchant', 'agent'] as const
export type KeyScope = (typeof keyScopes)[number]
