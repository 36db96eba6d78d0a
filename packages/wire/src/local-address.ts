/** Where the service is unless somebody says otherwise. */
export const DEFAULT_PORT = 4700
export const LOCAL_URL = `http://localhost:${DEFAULT_PORT}`
