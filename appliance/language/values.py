"""What values, defaults and limits of fields are called."""

from appliance.language.words import words

YES = words("yes|true|on|checked|1|enabled", "是|开启|启用")
YES_OR_NO = words(
    "yes|no|true|false|on|off|enabled|disabled|checked|unchecked", "是|否|开启|关闭|启用|停用"
)
ON = words("selected|checked|ticked|on|enabled|turned on", "勾选|选中|开启|启用")
"""As a sentence says it of a check box or switch."""
OFF = words("off|cleared|disabled|turned off|unchecked", "关闭")

OPTIONAL = words("optional(?:ly)?", "可选|选填")
REQUIRED = words("required", "必填")
MAY_STAY = words(
    r"\boptional(?:ly)?\b|\bmay (?:stay|be left|remain)\b|\bneed not\b|\bleave\b|\bkeep\b"
    r"|\bempty\b",
    "可选|选填|留空|为空|无需|不填|保持",
)
"""Says that a field may be left as it is."""
SECRETS = words(
    "pass(?:word|phrase|code)|secret|token|private key|api key|credential",
    "密码|口令|密钥|凭证|令牌",
)
ABOUT_SECRETS = words(
    "names?|ids?|descriptions?|length|expiry|expiration|types?|polic(?:y|ies)|count",
    "名称|描述|长度|有效期|类型|策略",
)
"""What is said of a secret is none: its name, its length."""
