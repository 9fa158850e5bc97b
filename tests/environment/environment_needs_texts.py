"""Procedures as the documentation of two clouds writes them, with what has to be there before."""

TEXTS = [
    # title, text, console, kinds
    (
        "Attach an EBS volume to an instance",
        """
**Prerequisites**

- You can attach a volume to an instance only if both are in the same Availability Zone.
- You have created a volume.

1. Open the Amazon EC2 console.
2. In the navigation pane, choose **Volumes**.
3. Select the volume to attach and choose **Actions**, **Attach volume**.
4. For **Instance**, enter the ID of the instance or select the instance from the list of options.
5. Choose **Attach volume**.
""",
        "aws",
        {"volume", "instance"},
    ),
    (
        "Create a subnet in your VPC",
        """
1. Open the Amazon VPC console.
2. In the navigation pane, choose **Subnets**.
3. Choose **Create subnet**.
4. For **VPC ID**, choose the VPC for the subnet.
5. (Optional) For **Subnet name**, enter a name for your subnet.
6. For **Availability Zone**, choose a zone or leave the default.
7. Choose **Create subnet**.
""",
        "aws",
        {"vpc"},
    ),
    (
        "Create a VPC",
        """
1. Open the Amazon VPC console.
2. On the VPC dashboard, choose **Create VPC**.
3. For **Resources to create**, choose **VPC only**. You do not need an existing subnet.
4. For **IPv4 CIDR**, enter `10.0.0.0/16`.
5. Choose **Create VPC**.
""",
        "aws",
        set(),
    ),
    (
        "Delete a bucket",
        """
1. In the left navigation pane, choose **General purpose buckets**.
2. Select the option next to the name of the bucket that you want to delete, and
   then choose **Delete**.
3. Enter the bucket name in the text field, and choose **Delete bucket**.
""",
        "aws",
        {"bucket"},
    ),
    (
        "Reboot an instance",
        """
1. In the navigation pane, choose **Instances**.
2. Select the instance and choose **Instance state**, **Reboot instance**.
3. Choose **Reboot** when prompted for confirmation.
""",
        "aws",
        {"instance"},
    ),
    (
        "Allocate an Elastic IP address",
        """
1. In the navigation pane, choose **Network & Security**, **Elastic IPs**.
2. Choose **Allocate Elastic IP address**.
3. Choose **Allocate**.

After allocating it, you can associate the address with an instance. See [Associate an address](#x).
""",
        "aws",
        set(),
    ),
    (
        "Associate an Elastic IP address",
        """
1. In the navigation pane, choose **Elastic IPs**.
2. Select the Elastic IP address to associate and choose **Actions**,
   **Associate Elastic IP address**.
3. For **Resource type**, choose **Instance**.
4. For **Instance**, choose the instance with which to associate the Elastic IP address.
5. Choose **Associate**.
""",
        "aws",
        {"elastic_address", "instance"},
    ),
    (
        "Change the instance type",
        """
1. In the navigation pane, choose **Instances**.
2. Select the instance and choose **Instance state**, **Stop instance**.
3. With the instance still selected, choose **Actions**, **Instance settings**,
   **Change instance type**.
4. For **Instance type**, select the desired instance type. You
   can also choose a volume type later.
5. Choose **Apply**.
""",
        "aws",
        {"instance"},
    ),
    (
        "Create a security group",
        """
1. In the navigation pane, choose **Security Groups**.
2. Choose **Create security group**.
3. Enter a descriptive name and brief description for the security group.
4. For **VPC**, choose the VPC in which you'll run your instances.
5. Choose **Create security group**.
""",
        "aws",
        {"vpc"},
    ),
    (
        "Create a key pair",
        """
1. In the navigation pane, under **Network & Security**, choose **Key Pairs**.
2. Choose **Create key pair**.
3. For **Name**, enter a descriptive name for the key pair.
4. Choose **Create key pair**.

!!! note
    Select an instance and connect to it with the key pair.
""",
        "aws",
        set(),
    ),
    (
        "Add a user to a group",
        """
Before you begin, create an [IAM user](users.md).

1. In the navigation pane, choose **User groups** and then choose the name of the group.
2. Choose the **Users** tab and then choose **Add users**.
3. Select the check box next to the users you want to add.
4. Choose **Add users**.
""",
        "aws",
        {"user"},
    ),
    (
        "Create a DB instance",
        """
**Before you begin:** you need a VPC with two subnets and a security group. You don't need a bucket.

1. In the navigation pane, choose **Databases**.
2. Choose **Create database**.
3. For **Engine type**, choose **MySQL**.
4. For **Virtual private cloud (VPC)**, choose your VPC.
5. For **VPC security group**, choose an existing security group.
6. Choose **Create database**.
""",
        "aws",
        {"vpc", "subnet", "security_group"},
    ),
    (
        "Modify a volume",
        """
1. In the navigation pane, choose **Volumes**.
2. Select the volume to modify and choose **Actions**, **Modify volume**.
3. If the volume is attached to an instance, stop the instance.
4. For **Size**, enter `20`.
5. Choose **Modify**.
""",
        "aws",
        {"volume"},
    ),
    (
        "Launch an instance",
        """
1. On the EC2 dashboard, choose **Launch instance**.
2. Under **Key pair (login)**, select an existing key pair.
3. Next to **Network settings**, choose **Edit**. For **VPC**, select your VPC, and for **Subnet**,
   select a subnet.
4. For **Firewall (security groups)**, choose **Select existing security group** and select the
   security group.
5. Choose **Launch instance**.
""",
        "aws",
        {"key_pair", "vpc", "subnet", "security_group"},
    ),
    (
        "查看账单",
        """
1. 登录费用中心控制台。
2. 在左侧导航栏，单击**账单详情**。
3. 选择账期，查看实例的费用。
""",
        "alicloud",
        set(),
    ),
    (
        "挂载数据盘",
        """
## 前提条件

- 已创建数据盘，且数据盘与实例位于同一可用区。
- 云盘的状态为**待挂载**。

## 操作步骤

1. 登录ECS管理控制台。
2. 在左侧导航栏，选择**存储与快照** > **云盘**。
3. 找到待挂载的云盘，在**操作**列单击**挂载**。
4. 在**目标实例**下拉列表中，选择ECS实例。
5. 单击**确定**。
""",
        "alicloud",
        {"disk", "instance"},
    ),
    (
        "创建交换机",
        """
1. 登录专有网络管理控制台。
2. 在左侧导航栏，单击**交换机**。
3. 单击**创建交换机**。
4. 在**专有网络**下拉列表中，选择已有的专有网络。
5. 输入交换机的名称，单击**确定**。
""",
        "alicloud",
        {"vpc"},
    ),
    (
        "创建专有网络",
        """
1. 登录专有网络管理控制台。
2. 单击**创建专有网络**。
3. 在**创建专有网络**页面，配置专有网络和交换机的参数，然后单击**确定**。

!!! note
    创建后，您可以在专有网络中创建实例。
""",
        "alicloud",
        set(),
    ),
    (
        "释放弹性公网IP",
        """
前提条件：弹性公网IP未绑定任何实例。

1. 登录弹性公网IP管理控制台。
2. 在**弹性公网IP**页面，找到目标EIP，在**操作**列选择**更多** > **释放**。
3. 在弹出的对话框中，单击**确定**。
""",
        "alicloud",
        {"elastic_address"},
    ),
    (
        "将实例加入安全组",
        """
1. 登录ECS管理控制台。
2. 在左侧导航栏，单击**实例**。
3. 找到目标实例，单击实例ID，进入实例详情页。
4. 单击**安全组**页签，单击**加入安全组**。
5. 在对话框中，选择需要加入的安全组，单击**确定**。
""",
        "alicloud",
        {"instance", "security_group"},
    ),
    (
        "重启实例",
        """
1. 在左侧导航栏，单击**实例与镜像** > **实例**。
2. 勾选需要重启的一台或多台实例，在实例列表底部单击**重启**。
3. 单击**确定**。
""",
        "alicloud",
        {"instance"},
    ),
    (
        "创建存储空间",
        """
1. 登录OSS管理控制台。
2. 单击**Bucket列表**，然后单击**创建Bucket**。
3. 在**创建Bucket**面板，输入Bucket名称，其他参数保持默认。
4. 单击**确定**。
""",
        "alicloud",
        set(),
    ),
    (
        "绑定密钥对",
        """
1. 在左侧导航栏，选择**网络与安全** > **密钥对**。
2. 找到需要操作的密钥对，在**操作**列，单击**绑定密钥对**。
3. 在**选择实例**栏，选中需要绑定该密钥对的实例。
4. 单击**确定**。
""",
        "alicloud",
        {"key_pair", "instance"},
    ),
    (
        "购买实例",
        """
已创建专有网络和交换机。无需提前创建密钥对。

1. 前往实例购买页。
2. 选择地域和实例规格。
3. 在**网络及可用区**区域，选择专有网络和交换机。
4. 选择已有安全组。
5. （可选）选择数据盘类型和容量。
6. 单击**确认下单**。
""",
        "alicloud",
        {"vpc", "vswitch", "security_group"},
    ),
    (
        "重置实例密码",
        """
前提条件：实例处于已停止状态，您具有修改实例的权限。

1. 在实例所在行的**操作**列，选择**更多** > **重置密码**。
2. 输入新密码，单击**确定**。
""",
        "alicloud",
        {"instance"},
    ),
]
