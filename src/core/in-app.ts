/**
 * Browsers built into other apps, by what they say of themselves: many drop a page and its cookies when the app is left. Pure; only ever the
 * reason for a hint, since any browser can say anything.
 */

/** Instagram; Facebook and Messenger; TikTok; LINE; WeChat; Snapchat; LinkedIn; Pinterest; KakaoTalk; Naver; X. */
const APPS =
  /\bInstagram [\d.]|\bFB(?:AN|AV|_IAB)\/|musical_ly|BytedanceWebview|\bLine\/\d|\bMicroMessenger\/|\bSnapchat[/ ]\d|LinkedInApp|\[Pinterest\/|KAKAOTALK|NAVER\(inapp|\bTwitter for /i;

export function isInAppBrowser(userAgent: string | null): boolean {
  return userAgent !== null && userAgent.length < 2_000 && APPS.test(userAgent);
}
