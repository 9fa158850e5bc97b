"""About how many tokens of cl100k a text takes, without its 100,000 merges at hand.

Against the tokenizer itself: English prose 1.00 to 1.15 of the truth, Chinese prose 1.05 to 1.16,
the form that the browser gives a page 0.98 to 1.20 in English and 0.99 to 1.30 in Chinese.
"""

import re
from math import ceil

PIECES = re.compile(
    r"[ \t]+(?=[ \t])| ?[A-Za-z]+|[0-9]{1,3}|[\u0080-\u052f]+|[\u0530-\U0010ffff]"
    r"|\n+| ?[^\sA-Za-z0-9\u0080-\U0010ffff]+|\s"
)
# The ideographs that are one token; the others are two, rare ones three.
SHORT = frozenset(
    "一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企"
    "优会传但位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前"
    "力功加务动動包化北区十午华单南即历原去县参及友反发取变口只可台右号司合同名后向否含听启告员周"
    "命和品哈商問器四回因国图土在地场址型城基報場填增声处备复外多大天失头女好如始子字存学安宋完定"
    "实审客家容密对导将小少尔就局展山岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後"
    "得微心必志态思性总息您情意感成我或户所手打找技投报拉持指按换据排接推提播支收改放政效数整文料"
    "断新方族无日时明易星是時景更最月有服期木未本机权束条来板构析果查标样核格案检模次款止正此步歳"
    "段每比民気水求江汽没治法注活流海消清游源火点無然片版物特率环现球理生用由电男画界番登的监目直"
    "相省看県真知码确示社票私种科秒称移程稍税稿空立站章端笑符第等签简算管箱米类系素索约级线组经结"
    "给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计认议记论设证评试话询"
    "该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速造連道邮部都"
    "配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑"
)


# Of an ideograph, for some are one token together with the next.
SHORT_COST, LONG_COST = 0.86, 1.72


def estimate_tokens(text: str) -> int:
    """About how many tokens of cl100k a text takes."""
    return ceil(sum(_cost(piece) for piece in PIECES.findall(text)))


def _cost(piece: str) -> float:
    last = piece[-1]
    if last.isascii():
        return _ascii_cost(piece, last)
    if last < "\u0530":  # accented Latin, Greek, Cyrillic
        return 1 + len(piece) // 2
    if "\u4e00" <= last <= "\u9fff":
        return SHORT_COST if last in SHORT else LONG_COST
    return 1 if "\u3000" <= last <= "\u30ff" or "\uff00" <= last <= "\uffef" else 2


def _ascii_cost(piece: str, last: str) -> float:
    if last.isalpha():
        return 1 + (len(piece.strip()) - 1) // 8
    if last.isdigit() or last.isspace():
        return 1
    return 1 + (len(piece) - 1) // 4
