export const REPORTER = 20;
export const DEVELOPER = 30;
export const MAINTAINER = 40;
/** Administrators have it in every project. */
export const OWNER = 50;
