import { emailProblem } from '../../domain/names.ts';
import { cleanText } from '../../lib/text/clean-text.ts';
import { inertLine } from '../../lib/text/inert-text.ts';
import { GOOGLE } from './sign-on-settings.ts';

/** What a provider says about a person. */
export interface PersonClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Name to sign in with at the provider, or what comes closest. */
  readonly username: string;
  readonly name: string;
  /** Address that the provider has verified; null: none. */
  readonly email: string | null;
  /** Domain of the organization that the account belongs to (`hd` of Google); null: none. */
  readonly hostedDomain: string | null;
  /** Groups; null: the provider does not say, or not all of them. */
  readonly groups: readonly string[] | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** Maximum groups of a person; with more, the claim counts as absent. */
const MAX_GROUPS = 20_000;
const MAX_NAME_LENGTH = 255;

function textIn(documents: readonly Claims[], name: string): string | null {
  for (const document of documents) {
    const value = document[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** Returns an address that is marked as verified in the document that has it. Absent means not verified. */
function verifiedEmail(documents: readonly Claims[]): string | null {
  const found = documents.find(({ email, email_verified: verified }) => typeof email === 'string' && verified === true);
  const email = found === undefined ? null : (found.email as string).trim();
  return email === null || emailProblem(email) !== null ? null : email;
}

/**
 * Returns whether Google speaks for an address: it has verified those of other domains once, and their owners may have
 * changed since. See "Authenticate with a backend server" in its documentation.
 */
function isOwnAddress(email: string, hostedDomain: string | null): boolean {
  return hostedDomain !== null || email.toLowerCase().endsWith('@gmail.com');
}

/** Returns a claim by its name, or else by a path of names. */
function claimAt(document: Claims, path: string): unknown {
  if (Object.hasOwn(document, path)) return document[path];
  return path.split('.').reduce<unknown>((at, name) => {
    const isObject = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return isObject ? (at as Claims)[name] : undefined;
  }, document);
}

/** True for documents that refer to the groups elsewhere, because there are too many of them. */
function isOverage(document: Claims, claim: string): boolean {
  const { _claim_names: names, hasgroups } = document;
  const isNamed = typeof names === 'object' && names !== null && Object.hasOwn(names, claim);
  return isNamed || (claim === 'groups' && (hasgroups === true || hasgroups === 'true'));
}

/** Returns the groups of a claim; undefined for an absent one, null for an incomplete or unreadable one. */
function groupsIn(documents: readonly Claims[], claim: string): readonly string[] | null | undefined {
  if (documents.some((document) => isOverage(document, claim))) return null;
  for (const document of documents) {
    const value = claimAt(document, claim);
    if (typeof value === 'string') return value === '' ? [] : [value];
    if (value === undefined) continue;
    if (!Array.isArray(value)) return null;
    const isReadable = value.length <= MAX_GROUPS && value.every((group) => typeof group === 'string');
    return isReadable ? value : null;
  }
  return undefined;
}

export interface GroupsRule {
  readonly groupsClaim: string;
  /** True: an absent claim means no groups, because the provider leaves out empty ones. */
  readonly absentIsNone: boolean;
}

/**
 * Reads an ID token and the answer of the userinfo endpoint, which has the same subject. The answer comes first: it has
 * all groups at some providers.
 */
export function readClaims(
  idToken: Claims,
  userInfo: Claims | null,
  { groupsClaim, absentIsNone }: GroupsRule,
): PersonClaims {
  const documents = userInfo === null ? [idToken] : [userInfo, idToken];
  const issuer = String(idToken.iss);
  const hostedDomain = textIn([idToken], 'hd');
  const verified = verifiedEmail(documents);
  const isTrusted = verified !== null && (issuer !== GOOGLE || isOwnAddress(verified, hostedDomain));
  const email = isTrusted ? verified : null;
  const username =
    textIn(documents, 'preferred_username') ?? textIn(documents, 'nickname') ?? email ?? textIn(documents, 'name');
  const groups = groupsIn(documents, groupsClaim);
  const name = textIn(documents, 'name') ?? username ?? '';
  return {
    issuer,
    hostedDomain,
    subject: String(idToken.sub),
    username: oneLine(username ?? ''),
    name: oneLine(name),
    email,
    groups: groups === undefined ? (absentIsNone ? [] : null) : groups,
  };
}

function oneLine(text: string): string {
  return inertLine(cleanText(text)).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH);
}
