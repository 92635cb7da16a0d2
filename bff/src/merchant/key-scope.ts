/** What an API key may call: everything of its merchant's, or what an agent's tools do. */
export const keyScopes = ['merchant', 'agent'] as const
export type KeyScope = (typeof keyScopes)[number]
