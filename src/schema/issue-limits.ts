/** How much is told of what does not fit, whoever found it. */

/** Issues told of one value. */
export const MAX_ISSUES = 20
/** Longest message, and longest pointer, in UTF-16 units. */
export const MAX_ISSUE_TEXT = 300
