/** What every agent is told, whether it comes by a prompt of the MCP server, an alert or the page of an analysis. */

export const CHECK_THE_CLAIM =
  'Open the suspected file in the working copy and check the claim against the code before you believe it.'

export const ANSWER_WITH_CAUSE =
  'Answer with the cause, the commit and line if one is to blame, the evidence against it, and the smallest fix.'

export const ANSWER_ON_DEPLOY = 'Answer with keep, watch or roll back, and the numbers before and after that decide it.'
