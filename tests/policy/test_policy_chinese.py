"""Chinese sentences, as real guides write them, and what the reader makes of them."""

import pytest

from tests.policy.test_policy_english import read, steps_of

CASES = [
    ("设置完成后，单击**保存**。", ["open 保存"]),
    ("根据界面提示，填写相关参数，单击**确定**。", ["form", "open 确定"]),
    ("填写表单并保存。", ["form", "confirm"]),
    ("为其命名。", ["fill '名称'"]),
    ("选择所需的**区域**。", ["choose in 区域"]),
    ("打开**自动续费**开关。", ["tick 自动续费 (开关)"]),
    ("在**产品**菜单中选择**存储桶**。", ["open 产品 (菜单)", "open 存储桶 (choice)"]),
    ("点击**创建存储桶**。", ["open 创建存储桶"]),
    ("在**名称**中输入存储桶名称。", ["fill 名称"]),
    ("在**存储类型**下拉列表中选择**标准**。", ["choose = 标准 in 存储类型"]),
    ("输入存储桶名称以确认，然后点击**删除**。", ["fill '存储桶名称以确认'", "open 删除"]),
    ("勾选**启用版本控制**，然后点击**确定**。", ["tick 启用版本控制 (复选框)", "open 确定"]),
    ("存储桶状态变为**可用**。", ["expect_text 可用 (status)"]),
    ("页面提示**创建成功**。", ["expect_text 创建成功 (message)"]),
    (
        "在弹出的**创建存储桶**对话框中，输入`demo`，点击**确定**。",
        ["expect_open 创建存储桶 (对话框)", "fill = demo", "open 确定"],
    ),
    ("选择要删除的存储桶，点击**批量删除**。", ["pick '存储桶'", "open 批量删除"]),
    ("点击存储桶名称，进入详情页。", ["follow '存储桶'"]),
    (
        "单击**添加标签**，在**标签键**中输入`部门`，在**标签值**中输入`财务`。",
        ["open 添加标签", "fill 标签键 = 部门", "fill 标签值 = 财务"],
    ),
    (
        "打开**产品** > **实例**，在实例所在行单击**更多** > **重启**。",
        ["open 产品 (path)", "open 实例 (place)", "open 更多 (path)", "open 重启 (path)"],
    ),
    ("将**规格**设置为**大型**。", ["fill 规格 = 大型"]),
    ("将**版本控制**设置为`启用`。", ["fill 版本控制 = 启用"]),
    (
        "在顶部导航栏选择**产品** > **云数据库**，在左侧导航栏单击**数据库账号**。",
        ["open 产品 (path)", "open 云数据库 (place)", "open 数据库账号 (place)"],
    ),
    ("拖动滑块，将**保存时间**设置为`60`天。", ["fill 保存时间 = 60"]),
    (
        "在**条件**步骤，选择**日志库**，在**查询语句**中输入`a=5`，**统计周期**选择**1 小时**。",
        [
            "expect_open 条件 (步骤)",
            "open 日志库 (choice)",
            "fill 查询语句 = a=5",
            "choose = 1 小时 in 统计周期",
        ],
    ),
    (
        "**告警级别**选择**严重**，**通知方式**勾选**短信**，单击**下一步**。",
        ["choose = 严重 in 告警级别", "tick 短信 (复选框)", "open 下一步"],
    ),
    ("单击域名。", ["follow '域名'"]),
    (
        "选择**虚拟网络**和**子网**，单击**下一步**。",
        ["open 虚拟网络 (choice)", "open 子网 (choice)", "open 下一步"],
    ),
    (
        "在**权限策略**中勾选需要授予的策略，然后单击**确定**。",
        ["choose '授予的策略' in 权限策略", "open 确定"],
    ),
    (
        "在**可选**列表中选择用户组，单击**添加**，将其移动到**已选**列表。",
        ["choose '用户组' in 可选", "open 添加"],
    ),
    ("在**文件**区域，单击虚线框选择本地文件，或将文件拖拽至虚线框内。", ["upload 文件"]),
    (
        "页面提示**规则已添加**，规则状态为**已启用**。",
        ["expect_text 规则已添加 (message)", "expect_text 已启用 (status)"],
    ),
    ("确认配置和费用后，单击**立即创建**。", ["open 立即创建"]),
    ("填写联系人信息：", []),
    ("在弹性公网 IP 所在行，单击**绑定**。", ["open 绑定"]),
    ("（可选）将**类型**设置为**低频**，默认为**标准**。", ["fill 类型 = 低频?"]),
    (
        "单击**上传对象**，页面右侧弹出**上传对象**面板。",
        ["open 上传对象", "expect_open 上传对象 (面板)"],
    ),
]


@pytest.mark.parametrize(("text", "intents"), CASES, ids=[c[0][:30] for c in CASES])
def test_a_sentence_is_read(text: str, intents: list[str]) -> None:
    assert read(text, "zh") == intents


def test_a_control_above_the_list_is_not_looked_for_in_the_row() -> None:
    *_, press = steps_of("勾选用户前的复选框，单击列表上方的**禁用**。", "zh")
    assert press.place.row == ""


def test_the_row_is_named_by_all_its_words() -> None:
    (press,) = steps_of("在弹性公网 IP 所在行，单击**绑定**。", "zh")
    assert press.place.row == "弹性公网 IP"
